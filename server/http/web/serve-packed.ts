import { access } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler } from 'express'

/** Content codings with the file ending of the copies that the build makes, the better one first. */
const PACKINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Lets the next handler send the compressed copy of a file, if the build has made one and the browser accepts it.
 * Compressing the app for every visitor costs the server more than all else of a page load.
 */
export function servePacked(folder: string): RequestHandler {
  return async (request, response, next) => {
    response.vary('Accept-Encoding')
    // The order in which a browser names codings means nothing.
    const packing = PACKINGS.find(([coding]) => request.acceptsEncodings(coding) === coding)
    if (packing !== undefined) {
      const [coding, ending] = packing
      if (await isThere(path.join(folder, path.normalize(`/${request.path}${ending}`)))) {
        response.type(path.extname(request.path))
        response.set('Content-Encoding', coding)
        request.url = request.path + ending
      }
    }
    next()
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    return false
  }
}
