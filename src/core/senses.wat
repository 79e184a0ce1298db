;; Compares the senses of a question with those of a text (senses.ts). `bun scripts/kernel.ts` compiles this to senses-wasm.ts.
(module
  (memory (export "memory") 1)

  ;; For each sense of the question, which lies from $asked to $said, the fewest bits in which one of the text, from $said to $end,
  ;; differs from it; from $end on, four bytes each. A sense has $width bytes, a multiple of 16.
  (func (export "differing") (param $asked i32) (param $said i32) (param $end i32) (param $width i32)
    (local $a i32) (local $a_end i32) (local $s i32) (local $bits v128) (local $count i32) (local $least i32) (local $result i32)
    (local.set $result (local.get $end))
    (local.set $a_end (local.get $asked))
    (loop $next_asked
      (local.set $asked (local.get $a_end))
      (local.set $a_end (i32.add (local.get $asked) (local.get $width)))
      (local.set $least (i32.shl (local.get $width) (i32.const 3)))
      (local.set $s (local.get $said))
      (loop $next_said
        (local.set $bits (v128.const i64x2 0 0))
        (local.set $a (local.get $asked))
        (loop $next_16
          (local.set $bits
            (i16x8.add (local.get $bits)
              (i16x8.extadd_pairwise_i8x16_u
                (i8x16.popcnt (v128.xor (v128.load (local.get $a)) (v128.load (local.get $s)))))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $s (i32.add (local.get $s) (i32.const 16)))
          (br_if $next_16 (i32.lt_u (local.get $a) (local.get $a_end))))
        (local.set $bits (i32x4.extadd_pairwise_i16x8_u (local.get $bits)))
        (local.set $count
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $bits)) (i32x4.extract_lane 1 (local.get $bits)))
            (i32.add (i32x4.extract_lane 2 (local.get $bits)) (i32x4.extract_lane 3 (local.get $bits)))))
        (local.set $least
          (select (local.get $count) (local.get $least) (i32.lt_u (local.get $count) (local.get $least))))
        (br_if $next_said (i32.lt_u (local.get $s) (local.get $end))))
      (i32.store (local.get $result) (local.get $least))
      (local.set $result (i32.add (local.get $result) (i32.const 4)))
      (br_if $next_asked (i32.lt_u (local.get $a_end) (local.get $said)))))
)
