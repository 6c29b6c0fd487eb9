import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { fillLegalMarks, sayLegalWords, type Installation } from '#core/domain/site/legal-words.ts'
import { SITE_FOLDER, SITE_ORIGIN_MARK, type SiteIndex } from '#core/contract/site.ts'

export interface Packed {
  coding: 'br' | 'gzip' | null
  etag: string
  bytes: Buffer
}

export interface SiteFile {
  type: string
  plain: Packed
  /** the better coding first */
  packed: readonly Packed[]
}

/** The address of this installation. */
export interface SitePlace {
  publicUrl: string
  /** of the authentication service */
  authPath: string
  /** what the legal pages say about it */
  installation: Installation
}

/** The attribute as it is in web/site/layout/SiteDocument.tsx. */
const AUTH_MARK = 'content="/auth/v1"'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

/** Milliseconds between checks whether a new build has replaced the cached one. */
const LOOK_EVERY = 1000

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

/**
 * Caches the built site: each page is read, given the address of this installation and compressed when it is
 * first requested.
 * @param folder of the built web app
 */
export function openSite(folder: string, { publicUrl, authPath, installation }: SitePlace) {
  const origin = new URL(publicUrl).origin
  const words = sayLegalWords(installation)
  const place = (text: string) =>
    fillLegalMarks(text.replaceAll(SITE_ORIGIN_MARK, origin), words).replace(
      AUTH_MARK,
      () => `content="${authPath}"`,
    )
  const indexFile = path.join(folder, SITE_FOLDER, 'index.json')
  let [lookedAt, builtAt] = [-Infinity, 0]
  let index: SiteIndex | undefined
  const files = new Map<string, Promise<SiteFile>>()

  async function look(): Promise<SiteIndex | undefined> {
    if (performance.now() - lookedAt < LOOK_EVERY) return index
    lookedAt = performance.now()
    const found = await stat(indexFile).catch(() => undefined)
    if (found === undefined) index = undefined
    else if (found.mtimeMs !== builtAt || index === undefined) {
      index = JSON.parse(await readFile(indexFile, 'utf8')) as SiteIndex
      builtAt = found.mtimeMs
      files.clear()
    }
    return index
  }

  function load(name: string): Promise<SiteFile> {
    const kept = files.get(name)
    if (kept !== undefined) return kept
    const loading = pack(path.join(folder, SITE_FOLDER, name), place)
    files.set(name, loading)
    // After a failure, the next request reads the file again.
    loading.catch(() => files.delete(name))
    return loading
  }

  return {
    async find(asked: string): Promise<SiteFile | undefined> {
      const pages = (await look())?.pages
      return pages !== undefined && Object.hasOwn(pages, asked) ? load(pages[asked] ?? '') : undefined
    },
    async findMissing(asked: string): Promise<SiteFile | undefined> {
      const missing = Object.entries((await look())?.missing ?? {})
      const nearest = missing
        .filter(([under]) => asked.startsWith(under))
        .toSorted(([one], [other]) => other.length - one.length)
      return nearest[0] === undefined ? undefined : load(nearest[0][1])
    },
    async findFailure(): Promise<SiteFile | undefined> {
      const failure = (await look())?.failure
      return failure === undefined ? undefined : load(failure)
    },
  }
}

async function pack(file: string, place: (text: string) => string): Promise<SiteFile> {
  const text = await readFile(file, 'utf8')
  const bytes = Buffer.from(place(text))
  const name = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  return {
    type: TYPES[path.extname(file)] ?? 'application/octet-stream',
    plain: { coding: null, etag: `"${name}"`, bytes },
    packed: [
      { coding: 'br', etag: `"${name}-br"`, bytes: await packBrotli(bytes, quality) },
      { coding: 'gzip', etag: `"${name}-gz"`, bytes: await packGzip(bytes, { level: 9 }) },
    ],
  }
}
