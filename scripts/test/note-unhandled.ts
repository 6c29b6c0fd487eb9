import { writeFile } from 'node:fs/promises'
import type { Reporter } from 'vitest/node'

/** Vitest's JSON report leaves out errors outside of tests: if there were some, this file is written. */
export default class NoteUnhandled implements Reporter {
  async onTestRunEnd(_modules: unknown, errors: readonly unknown[]): Promise<void> {
    const file = process.env['UNHANDLED_ERRORS_FILE']
    if (file !== undefined && errors.length > 0) await writeFile(file, String(errors.length))
  }
}
