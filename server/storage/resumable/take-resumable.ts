import { mkdir } from 'node:fs/promises'
import type { Request, RequestHandler, Response } from 'express'
import { resumableFolder } from '#core/file-store/stage-bytes.ts'
import { askForBody } from '#core/http/ask-for-body.ts'
import type { ServerContext } from '../../context.ts'
import { admitAgain, identifyCaller } from '../identify-caller.ts'
import { asStorageFailure } from '../storage-failure.ts'
import type { StorageCall } from '../storage-call.ts'

type Serve = (call: StorageCall) => Promise<void>

/** `/upload/resumable`: uploads that may be cut and go on where they were (tus.io). */
export function takeResumable(context: ServerContext): RequestHandler {
  let opening: Promise<Serve> | undefined
  return async (request, response) => {
    try {
      await take(request, response)
    } catch (error) {
      const failure = asStorageFailure(error)
      // The sender's library reads the status alone: it repeats what may succeed later.
      if (response.headersSent || failure.status >= 500) throw error
      response.status(Number(failure.body.statusCode)).json(failure.body)
    }
  }

  async function take(request: Request, response: Response): Promise<void> {
    const caller = await identifyCaller(context, request)
    opening ??= openServer(context)
    const serve = await opening.catch((error: unknown) => {
      opening = undefined
      throw error
    })
    // The answer to a cut connection never ends.
    const cut = new Promise<void>((resolve) => {
      response.once('close', resolve)
    })
    const answer = (): Promise<void> => Promise.race([serve({ context, caller, request, response }), cut])
    // A question about a cut upload must not wait for it: it is what ends the cut one.
    if (request.method !== 'POST' && request.method !== 'PATCH') return await answer()
    askForBody(request, response)
    await context.admission.inUploadQueue(caller.sender, async () => {
      await admitAgain(context, caller)
      await answer()
    })
  }
}

/** Loaded with the first such upload. */
async function openServer(context: ServerContext): Promise<Serve> {
  const folder = resumableFolder(context.config.files)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { createResumableServer } = await import('./resumable-server.ts')
  return createResumableServer(context, folder)
}
