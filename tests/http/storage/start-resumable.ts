import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { beforeEach } from 'vitest'
import type { Person } from '../support/start-app.ts'
import { PNG } from './pictures.ts'
import { startForFiles } from './start-for-files.ts'

export type Said = Record<string, string>

export const metadataOf = (said: Said): string =>
  Object.entries(said)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** Two clients, a file for each test, and requests of the resumable protocol by hand. */
export async function startResumable() {
  const { app, owner, stranger } = await startForFiles()
  /** this test's file */
  const at = { name: '', bytes: PNG }
  beforeEach(() => {
    at.name = `${owner.id}/${randomUUID()}.png`
    at.bytes = Buffer.concat([PNG, randomBytes(300_000)])
  })
  const about = (more: Said = {}): Said => ({
    bucketName: 'evidence',
    objectName: at.name,
    contentType: 'image/png',
    ...more,
  })
  const ask = async (method: string, url: string, headers: Said = {}, person: Person | null = owner) => {
    const response = await fetch(new URL(url, app.url), {
      method,
      headers: {
        'tus-resumable': '1.0.0',
        ...(person && { authorization: `Bearer ${person.token}` }),
        ...headers,
      },
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    app,
    owner,
    stranger,
    at,
    /** the folder of uploads under way */
    folder: () => path.join(app.context.config.files.folder, 'resumable'),
    about,
    ask,
    begin: (said: Said = about(), headers: Said = {}, person: Person | null = owner) =>
      ask(
        'POST',
        '/storage/v1/upload/resumable',
        { 'upload-length': String(at.bytes.length), 'upload-metadata': metadataOf(said), ...headers },
        person,
      ),
  }
}
