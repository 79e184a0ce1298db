/**
 * The project skills that the user trusts, by path and content hash, so an edited skill must be trusted again. Stored in the home
 * workspace, where a project's repository cannot change it.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { readYaml } from "../../core/documents/read-yaml.ts";
import { writeYaml } from "../../core/documents/yaml-fields.ts";
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { command, hint, slot } from "../../core/hint.ts";
import { ensureDirectory, fsyncDirectory, isAbsence, readIfThere, writeFileAtomic } from "../../util/fs.ts";
import { decodeUtf8 } from "../../util/text.ts";
import * as z from "../../util/zod.ts";

const TRUST_FILE = "trusted-skills.yaml";

const TRUST = command("skills trust", slot("name"));
const HEAD = `# Skills of projects that you trust, as they are now. Change it with: ${TRUST}\n`;

const WRITABLE_BY_OTHERS = 0o022;

interface TrustedSkill {
  /** Path of its SKILL.md, links resolved. */
  readonly path: string;
  readonly sha256: string;
}

export interface Trust {
  readonly skills: readonly TrustedSkill[];
  /** Why nothing is trusted although the file exists; null if it was read. */
  readonly problem: string | null;
}

const list = () =>
  z.array(
    z.strictObject({
      path: z.string().check(z.minLength(1)),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    }),
  );

/** Reads the trust file of a home workspace. A file that is invalid or writable by others trusts nothing. */
export function readTrust(homeRoot: string): Trust {
  try {
    return { skills: trustedIn(join(homeRoot, TRUST_FILE)).skills, problem: null };
  } catch (error) {
    return { skills: [], problem: messageOf(error) };
  }
}

export function isTrusted({ skills }: Trust, { path, sha256 }: TrustedSkill): boolean {
  return skills.some((skill) => skill.path === path && skill.sha256 === sha256);
}

/**
 * Trusts this content at a path instead of any earlier one; null ends the trust. Durable on return; false if nothing changed. Call
 * it while holding the home workspace's lock. Throws `invalid_config` if the file is invalid or writable by others.
 */
export function changeTrust(homeRoot: string, path: string, sha256: string | null): boolean {
  const file = join(homeRoot, TRUST_FILE);
  const { source, skills } = trustedIn(file);
  const others = skills.filter((skill) => skill.path !== path);
  const changed = sha256 === null ? others : [...others, { path, sha256 }];
  const isSame =
    sha256 === null
      ? others.length === skills.length
      : isTrusted({ skills, problem: null }, { path, sha256 });
  if (isSame) return false;
  try {
    ensureDirectory(homeRoot);
    writeFileAtomic(file, writeYaml(source, { skills: changed }).source);
    fsyncDirectory(homeRoot);
    return true;
  } catch (error) {
    throw ioError(error, `Cannot write ${file}`);
  }
}

function trustedIn(file: string): { source: string; skills: readonly TrustedSkill[] } {
  const bytes = bytesOf(file);
  if (bytes === null) return { source: HEAD, skills: [] };
  const source = decodeUtf8(bytes);
  const reading = source === null ? null : readYaml(source);
  const parsed = reading?.ok ? list().safeParse(reading.fields.skills ?? []) : null;
  if (source !== null && parsed?.success) return { source, skills: parsed.data };
  throw new RetainError(
    "invalid_config",
    `${file} is invalid, so no project skill is trusted.`,
    hint`Remove it, then trust the skills again: ${TRUST}`,
  );
}

function bytesOf(file: string): Uint8Array | null {
  try {
    if ((statSync(file).mode & WRITABLE_BY_OTHERS) === 0) return readIfThere(file);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw ioError(error, `Cannot read ${file}`);
  }
  throw new RetainError(
    "invalid_config",
    `Other users can write ${file}, so no project skill is trusted.`,
    `Restrict it: chmod 600 ${file}`,
  );
}
