;; Cosines of one query with every int8 row of a matrix, and the product of two rows. Rows are widened to int16, so the query
;; keeps 16 bits and only the rows' own rounding is lost. `bun scripts/kernel.ts` compiles this to dot-wasm.ts.
(module
  (memory (export "memory") 1)

  ;; scores[i] = scales[i] * (rows[i] . query); rows are `width` bytes apart, a multiple of 16.
  (func (export "dot")
    (param $rows i32) (param $scales i32) (param $count i32) (param $width i32) (param $query i32) (param $scores i32)
    (local $end i32) (local $q i32) (local $low v128) (local $high v128) (local $row v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $next_row
      (local.set $low (v128.const i64x2 0 0))
      (local.set $high (v128.const i64x2 0 0))
      (local.set $end (i32.add (local.get $rows) (local.get $width)))
      (local.set $q (local.get $query))
      (loop $next_16
        (local.set $row (v128.load (local.get $rows)))
        (local.set $low
          (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $row)) (v128.load (local.get $q)))))
        (local.set $high
          (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $row)) (v128.load offset=16 (local.get $q)))))
        (local.set $q (i32.add (local.get $q) (i32.const 32)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (br_if $next_16 (i32.lt_u (local.get $rows) (local.get $end))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (f32.store (local.get $scores)
        (f32.mul (f32.load (local.get $scales))
          (f32.convert_i32_s
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
              (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next_row (local.get $count))))

  ;; a . b, two rows of `width` bytes, a multiple of 16: a whole number, so nothing is rounded.
  (func (export "pair") (param $a i32) (param $b i32) (param $width i32) (result i32)
    (local $end i32) (local $sum v128) (local $row v128) (local $other v128)
    (local.set $end (i32.add (local.get $a) (local.get $width)))
    (loop $next_16
      (local.set $row (v128.load (local.get $a)))
      (local.set $other (v128.load (local.get $b)))
      (local.set $sum
        (i32x4.add (local.get $sum)
          (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $row)) (i16x8.extend_low_i8x16_s (local.get $other)))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $row)) (i16x8.extend_high_i8x16_s (local.get $other))))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $next_16 (i32.lt_u (local.get $a) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
)
