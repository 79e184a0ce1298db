import { expect, test } from "bun:test";
import { Sandbox } from "../helpers/sandbox.ts";

test("CLI-24: --debug prints versions, paths, times and error locations, but no input or stored text", () => {
  const sandbox = new Sandbox();
  const told = sandbox.ok(["remember", "Owls fly at night", "--debug"]).stderr;
  expect(told).toMatch(/debug +[\d.]+ ms {2}start {2}retain \d+\.\d+/);
  expect(told).toContain(sandbox.memory);
  expect(told).toMatch(/run {2}remember/);
  expect(told).toMatch(/exit {2}0/);
  expect(told).not.toContain("Owls");
  const failed = sandbox.run(["get", "secret-name", "--collection", "hidden"], {
    env: { RETAIN_DEBUG: "1" },
  });
  expect(failed.exitCode).toBe(1);
  const lines = failed.stderr.split("\n").filter((line) => line.startsWith("debug"));
  expect(lines.join("\n")).toMatch(/error {2}RetainError {2}not_found/);
  expect(lines.some((line) => / at /.test(line))).toBe(true);
  expect(lines.join("\n")).not.toMatch(/secret-name|hidden/);
  expect(sandbox.ok(["list"]).stderr).not.toContain("debug");
});
