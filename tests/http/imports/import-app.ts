import { leadImportSchema, type LeadImport } from '#core/contract/imports/lead-import.ts'
import { listRunningImports } from '#core/data/imports/take-rows.ts'
import { takeRows } from '#worker/housekeeping/imports/take-rows.ts'
import { createReadImports } from '#worker/housekeeping/imports/read-imports.ts'
import type { CallOptions, TestApp } from '../support/start-app.ts'

export const PATH = '/api/v1/admin/imports'

/** Runs the administrators' page and a worker, one step at a time. */
export function openImports(app: TestApp) {
  const call = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    app.call(method, `${PATH}${path}`, {
      token: app.admin.token,
      ...(body === undefined ? {} : { body }),
      ...options,
    })
  const upload = (id: string, at: number | string, bytes: Uint8Array, type = 'application/octet-stream') =>
    call('POST', `/${id}/bytes?at=${at}`, bytes, { headers: { 'content-type': type } })
  const begin = async (sourceId: string, size: number, more: Record<string, unknown> = {}) =>
    await call('POST', '', { source_id: sourceId, file_name: 'leads.csv', size, ...more })
  const show = async (id: string): Promise<LeadImport> =>
    leadImportSchema.parse((await call('GET', `/${id}`)).json)
  const signal = new AbortController().signal
  const readImports = createReadImports({ ...app.context, holdDb: app.context.db })
  return {
    call,
    upload,
    begin,
    show,
    read: () => readImports(signal),
    /** Creates an import whose file has been read. */
    ready: async (sourceId: string, text: string | Buffer, more: Record<string, unknown> = {}) => {
      const bytes = Buffer.from(text)
      const { json } = await begin(sourceId, bytes.length, more)
      await upload(json.id, 0, bytes)
      await readImports(signal)
      return await show(json.id)
    },
    /** Takes rows in batches until none are left. */
    takeAll: async (limit = 3) => {
      const { db } = app.context
      for (
        let [next] = await listRunningImports(db);
        next !== undefined;
        [next] = await listRunningImports(db)
      ) {
        const { id } = next
        await db.transaction().execute((trx) => takeRows(trx, id, limit))
      }
    },
  }
}
