/**
 * Which skills of projects the user trusts: by where they are and by what they say, so that one that is edited must be trusted
 * again. Kept in the home workspace, where no project can write.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { readYaml } from "../../core/documents/read-yaml.ts";
import { writeYaml } from "../../core/documents/yaml-fields.ts";
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { ensureDirectory, fsyncDirectory, isAbsence, readIfThere, writeFileAtomic } from "../../util/fs.ts";
import { decodeUtf8 } from "../../util/text.ts";
import * as z from "../../util/zod.ts";

const TRUST_FILE = "trusted-skills.yaml";

const HEAD =
  "# Skills of projects that you trust, as they are now. Change it with: retain skills trust <name>\n";

const WRITABLE_BY_OTHERS = 0o022;

export interface TrustedSkill {
  /** Of its SKILL.md, links resolved. */
  readonly path: string;
  readonly sha256: string;
}

export interface Trust {
  readonly skills: readonly TrustedSkill[];
  /** Why nothing is trusted although the file is there; null where all is well. */
  readonly problem: string | null;
}

const list = () =>
  z.array(
    z.strictObject({
      path: z.string().check(z.minLength(1)),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    }),
  );

/** What is trusted, by the home workspace in this directory. A file that cannot be relied on trusts nothing. */
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
 * Trusts what is at a path, in the place of what was there before, or no more where `sha256` is null. Durable on return; false
 * where nothing changed. Call it under the home workspace's lock. Throws `invalid_config` where the file cannot be relied on.
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
    `${file} cannot be read, so no project's skill is trusted.`,
    "Remove it and trust the skills again: retain skills trust <name>",
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
    `Others may write ${file}, so no project's skill is trusted.`,
    `Make it your own: chmod 600 ${file}`,
  );
}
