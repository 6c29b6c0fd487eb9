import { keepImportFile } from '#core/data/imports/import-files.ts'
import { readParts } from '#core/data/imports/import-parts.ts'
import type { UnreadImport } from '#core/data/imports/stage-rows.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import { subjectErased } from '#core/use-cases/files/name-bytes.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Keeps the file as it was uploaded, beside its rows, before its bytes are removed from the database. An import does not
 * depend on it: a file that cannot be kept, because there is no room for example, is imported all the same.
 */
export async function keepFile(
  context: Pick<WorkerContext, 'db' | 'logger' | 'files'>,
  { id, created_by, file_name }: UnreadImport,
): Promise<void> {
  try {
    await storeFile(context, {
      bucket: 'imports',
      // It is nobody's own: the storage wire shows it to no one, so that each download is in the audit log.
      account_id: null,
      // Its own name may tell about people, and names of files stand in logs of proxies.
      name: `${created_by}/${id}.csv`,
      content_type: 'text/csv',
      bytes: readParts(context.db, id),
      metadata: { file_name },
      created_by,
      upsert: true,
      alongside: async (trx, stored) => {
        if (!(await keepImportFile(trx, id, stored.id))) throw subjectErased()
      },
    })
  } catch (error) {
    context.logger.warn(
      { import_id: id, failure: describeError(error) },
      'the file of an import was not kept; its rows are imported',
    )
  }
}
