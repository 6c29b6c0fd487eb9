import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Server, type Upload } from '@tus/server'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { ServerContext } from '../../context.ts'
import type { StorageCaller } from '../identify-caller.ts'
import type { StorageCall } from '../storage-call.ts'
import { asStorageFailure, StorageFailure } from '../storage-failure.ts'
import { createFinishing } from './finish-upload.ts'
import { judgeBegin } from './judge-begin.ts'
import { PartsStore } from './parts-store.ts'

export const RESUMABLE_PATH = '/storage/v1/upload/resumable'

/** The person who began an upload, or `service`, and a number that nobody guesses. */
const ID = /^(?:[0-9a-f-]{36}|service)\.[0-9a-f]{32}$/

type Hooks = ConstructorParameters<typeof Server>[0]
type HookRequest = Parameters<NonNullable<Hooks['onIncomingRequest']>>[0]

/**
 * Resumable uploads (tus.io, version 1.0.0). Each request proves who sends it; another person's upload is as if it did
 * not exist. A finished upload becomes a file as any other does.
 */
export function createResumableServer(
  context: ServerContext,
  folder: string,
): (call: StorageCall) => Promise<void> {
  const parts = new PartsStore({ folder, reserveBytes: context.config.files.reserveBytes })
  const finish = createFinishing(context, parts)
  const callers = new WeakMap<IncomingMessage, StorageCaller>()
  const callerOf = (request: HookRequest): StorageCaller => {
    const node = request.runtime?.node?.req
    const caller = node && callers.get(node as IncomingMessage)
    if (caller === undefined) throw new Error('A request without a caller')
    return caller
  }

  const server = new Server({
    path: RESUMABLE_PATH,
    datastore: parts,
    // Only proxies know which host and scheme the sender sees.
    relativeLocation: true,
    maxSize: FILE_LIMITS.size,
    namingFunction: (request) => `${prefixOf(callerOf(request))}${randomBytes(16).toString('hex')}`,
    getFileIdFromRequest: (_request, last) => (last !== undefined && ID.test(last) ? last : undefined),
    onIncomingRequest: async (request, id) => {
      const caller = callerOf(request)
      if (!id.startsWith(prefixOf(caller))) throw new StorageFailure('no_file', 'There is no such upload.')
      // All bytes are here, but the file could not be stored yet: the sender must not take it for stored.
      if (request.method === 'HEAD') await finish(caller, id)
    },
    onUploadCreate: async (request, upload) => {
      const caller = callerOf(request)
      const open = await parts.countOpen(prefixOf(caller))
      const upsert = request.headers.get('x-upsert') === 'true'
      const { size = 0, metadata = {} } = upload
      await judgeBegin(context, caller, { metadata, size, upsert, open })
      // The bytes are here and in the store for a moment.
      await parts.requireSpace(2 * size)
      return { metadata: { ...metadata, upsert: String(upsert) } }
    },
    onUploadFinish: async (request, { id }: Upload) => {
      await finish(callerOf(request), id)
      return {}
    },
    onResponseError: (_request, error) => {
      const { status, body, cause } = sayFailure(error)
      if (status >= 500) context.logger.error({ failure: describeError(cause) }, 'a resumable upload failed')
      return { status_code: status, body: JSON.stringify(body) }
    },
  })

  return async ({ caller, request, response }) => {
    callers.set(request, caller)
    request.url = request.originalUrl
    await server.handle(request, response)
  }
}

function prefixOf(caller: StorageCaller): string {
  return caller.kind === 'service' ? 'service.' : `${caller.principal.person_id}.`
}

/** The status is the failure's own: the sender's library repeats what may succeed later. */
function sayFailure(error: Error | { status_code: number; body: string }) {
  // Failures of the library are plain objects.
  const failure =
    error instanceof Error ? asStorageFailure(error) : new StorageFailure('bad_request', error.body.trim())
  const status = error instanceof Error ? Number(failure.body.statusCode) : error.status_code
  return { status, body: { ...failure.body, statusCode: String(status) }, cause: failure.cause ?? failure }
}
