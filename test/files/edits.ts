/** Changes that people and programs make to a workspace's files, with and without inotify events. */
import {
  appendFileSync,
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../src/util/fs.ts";
import { afterThisTest } from "../helpers/clean-up.ts";

const COLLECTIONS = ["a", "b", "c"] as const;
const NAMES = ["one.md", "two.md", "three.md", ".tmp-1-2", "image.png"] as const;

export interface Place {
  /** The directory that contains the workspace and more. */
  readonly parent: string;
  readonly collections: string;
}

export interface Edit {
  readonly kind: keyof typeof EDITS;
  readonly collection: number;
  readonly name: number;
  readonly other: number;
}

interface Paths {
  readonly place: Place;
  readonly directory: string;
  readonly otherDirectory: string;
  readonly path: string;
  readonly otherPath: string;
  /** Next to the workspace. */
  readonly outside: string;
}

export const EDITS = {
  "append in place": ({ path }) => appendFileSync(path, "x"),
  "write in place and keep it open": ({ path }) => {
    const file = openSync(path, "r+");
    afterThisTest(() => closeSync(file));
    writeSync(file, "y");
  },
  "cut short": ({ path }) => truncateSync(path, 1),
  "rename over": ({ path, outside }) => {
    writeFileSync(outside, String(Math.random()));
    renameSync(outside, path);
  },
  create: ({ path }) => writeFileSync(path, "new", { flag: "wx" }),
  remove: ({ path }) => unlinkSync(path),
  move: ({ path, otherPath }) => renameSync(path, otherPath),
  "move out": ({ path, outside }) => renameSync(path, outside),
  touch: ({ path }) => utimesSync(path, 1, 2),
  "change rights": ({ path }) => chmodSync(path, 0o640),
  "give a second name outside": ({ path, outside }) => {
    rmSync(outside, { force: true });
    linkSync(path, outside);
    // Only this sends an event; the hard link elsewhere doesn't.
    appendFileSync(path, "z");
  },
  "edit what is outside": ({ outside }) => appendFileSync(outside, "o"),
  "link to another": ({ path, otherPath }) => symlinkSync(otherPath, path),
  "link to the outside": ({ path, outside }) => symlinkSync(outside, path),
  "directory of a document's name": ({ path }) => mkdirSync(path),
  "make a collection": ({ directory }) => mkdirSync(directory),
  "remove a collection": ({ directory }) => rmSync(directory, { recursive: true }),
  "make a collection anew": ({ directory, path }) => {
    // The new directory may reuse the inode number.
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    writeFileSync(path, "anew");
  },
  "rename a collection": ({ directory, otherDirectory }) => renameSync(directory, otherDirectory),
  "exchange collections": ({ directory, otherDirectory, outside }) => {
    renameSync(directory, `${outside}-away`);
    renameSync(otherDirectory, directory);
    renameSync(`${outside}-away`, otherDirectory);
  },
  "link to a collection": ({ directory, otherDirectory }) => symlinkSync(otherDirectory, directory),
  "change a collection's rights": ({ directory }) => chmodSync(directory, 0o750),
  "another workspace in its place": ({ place, outside }) => {
    const workspace = join(place.collections, "..");
    const kept = join(place.parent, "kept");
    mkdirSync(join(kept, "collections", "a"), { recursive: true });
    writeFileSync(join(kept, "collections", "a", "one.md"), "other");
    renameSync(workspace, `${outside}-workspace`);
    renameSync(kept, workspace);
    renameSync(`${outside}-workspace`, kept);
  },
} satisfies Record<string, (paths: Paths) => void>;

export const EDIT_KINDS = Object.keys(EDITS) as (keyof typeof EDITS)[];

/** Skips edits that are impossible in the current state. */
export function edit(place: Place, { kind, collection, name, other }: Edit): void {
  const directory = join(place.collections, pick(COLLECTIONS, collection));
  const otherDirectory = join(place.collections, pick(COLLECTIONS, other));
  const path = join(directory, pick(NAMES, name));
  const otherPath = join(otherDirectory, pick(NAMES, name + other));
  const outside = join(place.parent, `outside-${other}`);
  try {
    EDITS[kind]({ place, directory, otherDirectory, path, otherPath, outside });
  } catch (error) {
    if (errorCode(error) === null) throw error;
  }
}

function pick<T>(from: readonly T[], number: number): T {
  return from[number % from.length] as T;
}
