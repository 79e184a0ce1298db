;; XXH64 with seed 0 of the bytes at address 0. `bun scripts/kernel.ts` compiles this to xxhash-wasm.ts.
(module
  (memory (export "memory") 1)
  (global $p1 i64 (i64.const 0x9E3779B185EBCA87))
  (global $p2 i64 (i64.const 0xC2B2AE3D27D4EB4F))
  (global $p3 i64 (i64.const 0x165667B19E3779F9))
  (global $p4 i64 (i64.const 0x85EBCA77C2B2AE63))
  (global $p5 i64 (i64.const 0x27D4EB2F165667C5))

  (func $round (param $lane i64) (param $input i64) (result i64)
    (i64.mul
      (i64.rotl
        (i64.add (local.get $lane) (i64.mul (local.get $input) (global.get $p2)))
        (i64.const 31))
      (global.get $p1)))

  (func $merge (param $hash i64) (param $lane i64) (result i64)
    (i64.add
      (i64.mul
        (i64.xor (local.get $hash) (call $round (i64.const 0) (local.get $lane)))
        (global.get $p1))
      (global.get $p4)))

  (func $mix (param $hash i64) (param $shift i64) (result i64)
    (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (local.get $shift))))

  (func (export "hash") (param $length i32) (result i64)
    (local $at i32) (local $hash i64) (local $a i64) (local $b i64) (local $c i64) (local $d i64)
    (if (i32.ge_u (local.get $length) (i32.const 32))
      (then
        (local.set $a (i64.add (global.get $p1) (global.get $p2)))
        (local.set $b (global.get $p2))
        (local.set $d (i64.sub (i64.const 0) (global.get $p1)))
        (loop $next_32
          (local.set $a (call $round (local.get $a) (i64.load (local.get $at))))
          (local.set $b (call $round (local.get $b) (i64.load offset=8 (local.get $at))))
          (local.set $c (call $round (local.get $c) (i64.load offset=16 (local.get $at))))
          (local.set $d (call $round (local.get $d) (i64.load offset=24 (local.get $at))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $next_32 (i32.ge_u (i32.sub (local.get $length) (local.get $at)) (i32.const 32))))
        (local.set $hash
          (i64.add
            (i64.add (i64.rotl (local.get $a) (i64.const 1)) (i64.rotl (local.get $b) (i64.const 7)))
            (i64.add (i64.rotl (local.get $c) (i64.const 12)) (i64.rotl (local.get $d) (i64.const 18)))))
        (local.set $hash (call $merge (local.get $hash) (local.get $a)))
        (local.set $hash (call $merge (local.get $hash) (local.get $b)))
        (local.set $hash (call $merge (local.get $hash) (local.get $c)))
        (local.set $hash (call $merge (local.get $hash) (local.get $d))))
      (else (local.set $hash (global.get $p5))))
    (local.set $hash (i64.add (local.get $hash) (i64.extend_i32_u (local.get $length))))
    (block $done_8
      (loop $next_8
        (br_if $done_8 (i32.lt_u (i32.sub (local.get $length) (local.get $at)) (i32.const 8)))
        (local.set $hash
          (i64.add
            (i64.mul
              (i64.rotl
                (i64.xor (local.get $hash) (call $round (i64.const 0) (i64.load (local.get $at))))
                (i64.const 27))
              (global.get $p1))
            (global.get $p4)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $next_8)))
    (if (i32.ge_u (i32.sub (local.get $length) (local.get $at)) (i32.const 4))
      (then
        (local.set $hash
          (i64.add
            (i64.mul
              (i64.rotl
                (i64.xor (local.get $hash) (i64.mul (i64.load32_u (local.get $at)) (global.get $p1)))
                (i64.const 23))
              (global.get $p2))
            (global.get $p3)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))))
    (block $done_1
      (loop $next_1
        (br_if $done_1 (i32.eq (local.get $at) (local.get $length)))
        (local.set $hash
          (i64.mul
            (i64.rotl
              (i64.xor (local.get $hash) (i64.mul (i64.load8_u (local.get $at)) (global.get $p5)))
              (i64.const 11))
            (global.get $p1)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next_1)))
    (local.set $hash (i64.mul (call $mix (local.get $hash) (i64.const 33)) (global.get $p2)))
    (local.set $hash (i64.mul (call $mix (local.get $hash) (i64.const 29)) (global.get $p3)))
    (call $mix (local.get $hash) (i64.const 32))))
