import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { keptMailSchema, type KeptMail } from '#core/mail/kept-mail.ts'
import { readStoredJson, StoredDataError } from '#core/read-stored.ts'

const SHOWN = 200
const ID = /^[\da-f-]{36}$/

/** The newest mails of the folder, newest first. Ids are in the order in which the mails were queued. */
export async function listMails(folder: string): Promise<KeptMail[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return []
    throw error
  })
  const ids = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((id) => ID.test(id))
    .toSorted()
    .toReversed()
    .slice(0, SHOWN)
  const mails = await Promise.all(ids.map((id) => readMail(folder, id)))
  return mails.filter((mail) => mail !== undefined)
}

export async function readMail(folder: string, id: string): Promise<KeptMail | undefined> {
  const text = await read(folder, `${id}.json`)
  if (text === undefined) return undefined
  try {
    return readStoredJson(keptMailSchema, text, 'a kept mail')
  } catch (error) {
    // The folder belongs to a developer: files that are no mails are not shown.
    if (error instanceof StoredDataError) return undefined
    throw error
  }
}

/** The mail as a mail server would receive it. */
export async function readSource(folder: string, id: string): Promise<string | undefined> {
  return await read(folder, `${id}.eml`)
}

/** A requested name is read only if it is an id, so it cannot lead out of the folder. */
async function read(folder: string, name: string): Promise<string | undefined> {
  if (!ID.test(path.parse(name).name)) return undefined
  try {
    return await readFile(path.join(folder, name), 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
