import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import { requireSpace } from '#core/file-store/disk-space.ts'

/** The free space is read again after this many bytes. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024
/** An upload that is not finished by then is given up. */
export const EXPIRES_MS = 24 * 3600 * 1000

/**
 * Unfinished uploads in a folder: a file with the bytes so far, and one with the length and the metadata (`.json`). They
 * outlive a restart. After the file is stored, a mark (`.done`) answers a sender whose last answer was lost.
 */
export class PartsStore extends FileStore {
  readonly #reserveBytes: number

  constructor({ folder, reserveBytes }: { folder: string; reserveBytes: number }) {
    super({ directory: folder, expirationPeriodInMilliseconds: EXPIRES_MS })
    this.#reserveBytes = reserveBytes
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  /** @throws FileStoreFull */
  async requireSpace(bytes = 0): Promise<void> {
    await requireSpace(this.directory, this.#reserveBytes, bytes)
  }

  override async write(bytes: IncomingMessage | Readable, id: string, offset: number): Promise<number> {
    await this.requireSpace()
    return await super.write(Readable.from(this.#whileThereIsSpace(bytes)), id, offset)
  }

  async *#whileThereIsSpace(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let unlooked = 0
    for await (const piece of bytes) {
      unlooked += piece.length
      if (unlooked >= LOOK_EVERY_BYTES) {
        await this.requireSpace()
        unlooked = 0
      }
      yield piece
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const upload = await super.getUpload(id)
    if (await this.isStored(id)) upload.offset = upload.size ?? 0
    return upload
  }

  override async remove(id: string): Promise<void> {
    await rm(this.#markOf(id), { force: true })
    await super.remove(id)
  }

  /** Notes that the file is stored; its bytes here are of no more use. */
  async markStored(id: string): Promise<void> {
    await writeFile(this.#markOf(id), '', { mode: 0o600 })
    await truncate(path.join(this.directory, id))
  }

  async isStored(id: string): Promise<boolean> {
    return await stat(this.#markOf(id)).then(
      () => true,
      () => false,
    )
  }

  /** Number of uploads that begin with this and are not stored yet. */
  async countOpen(prefix: string): Promise<number> {
    const names = new Set((await readdir(this.directory)).filter((name) => name.startsWith(prefix)))
    // Marks outlive their uploads for a while, so they are not simply subtracted.
    return [...names].filter((name) => name.endsWith('.json') && !names.has(name.replace(/json$/, 'done')))
      .length
  }

  #markOf(id: string): string {
    return path.join(this.directory, `${id}.done`)
  }
}
