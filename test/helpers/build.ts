/** Tests run the real command, so it is built before the first of them. */
const build = Bun.spawnSync([process.execPath, `${import.meta.dir}/../../scripts/build.ts`]);
if (build.exitCode !== 0) throw new Error(`The build failed:\n${build.stderr}`);
