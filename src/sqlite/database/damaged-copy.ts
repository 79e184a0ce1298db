/** A readable copy of a damaged database; the original stays untouched. */
import { closeSync, constants, copyFileSync, openSync, statSync, writeSync } from "node:fs";
import { removeIfThere } from "../../util/fs.ts";
import { connect, connectInMemory, type Database } from "../driver.ts";
import { unlessDamaged } from "../earlier/damaged-table.ts";
import { runsCode } from "./ownership.ts";

/** Files that SQLite creates next to a database: the WAL, its shared memory and the journal. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/** Runs `read` on a copy of the file at `scratch`, then removes the copy. */
export function readCopy<T>(path: string, scratch: string, read: (database: Database) => T): T {
  removeDatabase(scratch);
  try {
    copyFileSync(path, scratch, constants.COPYFILE_FICLONE);
    mendHeader(scratch);
    const wal = `${path}-wal`;
    if (statSync(wal, { throwIfNoEntry: false })?.isFile())
      copyFileSync(wal, `${scratch}-wal`, constants.COPYFILE_FICLONE);
    const database = connect(scratch, "create");
    try {
      dropCode(database);
      return read(database);
    } finally {
      database.close();
    }
  } finally {
    removeDatabase(scratch);
  }
}

/** We have no triggers or views, and a view in place of a table could run forever. */
function dropCode(database: Database): void {
  database.run("PRAGMA trusted_schema = OFF");
  unlessDamaged(() => {
    if (!runsCode(database)) return;
    database.run("PRAGMA writable_schema = ON");
    database.run("DELETE FROM sqlite_schema WHERE type IN ('trigger', 'view')");
    database.run("PRAGMA writable_schema = RESET");
  }, undefined);
}

export function removeDatabase(path: string): void {
  for (const suffix of ["", ...COMPANIONS]) removeIfThere(path + suffix);
}

const HEADER_BYTES = 100;
const PAGE_BYTES = 4096;

/** All our databases share the header except for the page count; SQLite rejects a file with fewer pages than its header says. */
function mendHeader(path: string): void {
  const model = connectInMemory();
  model.run("CREATE TABLE model (value)");
  const header = Buffer.from(model.serialize().subarray(0, HEADER_BYTES));
  model.close();
  const withWal = 2;
  header.fill(withWal, 18, 20);
  header.writeUInt32BE(Math.floor(statSync(path).size / PAGE_BYTES), 28);
  const file = openSync(path, "r+");
  try {
    writeSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
}
