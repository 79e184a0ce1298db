/** Tests run the real command, so it is built before the first of them; once, where scripts/test.ts has done it for all workers. */
if (process.env.RETAIN_TESTS_BUILT !== "1") {
  const build = Bun.spawnSync([process.execPath, `${import.meta.dir}/../../scripts/build.ts`]);
  if (build.exitCode !== 0) throw new Error(`The build failed:\n${build.stderr}`);
}
