import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFileAtomically } from '#core/write-file-atomically.ts'
import { keepSecrets } from '#scripts/start/keep-secrets.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-secrets-'))
  file = path.join(folder, 'secrets.json')
})
afterEach(() => rm(folder, { recursive: true }))

test('the first start creates the secrets, readable only by its user, and later starts keep them', async () => {
  const first = await keepSecrets(folder)
  const { ino, mtimeMs, mode } = await stat(file)
  expect(mode & 0o777).toBe(0o600)

  expect(await keepSecrets(folder)).toEqual(first)
  expect(await stat(file)).toMatchObject({ ino, mtimeMs })
})

test('missing secrets are created, and the others stay', async () => {
  await writeFile(file, '{"SECRETS_KEY":"kept"}', { mode: 0o644 })

  const secrets = await keepSecrets(folder)

  expect(secrets.SECRETS_KEY).toBe('kept')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(secrets)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a damaged file is named, and not changed', async () => {
  await writeFile(file, '{"SECRETS_KEY":"ke')

  await expect(keepSecrets(folder)).rejects.toThrow(`${file} is damaged: put it back from a backup.`)
  expect(await readFile(file, 'utf8')).toBe('{"SECRETS_KEY":"ke')
})

test('a reader during a write finds either the old file or the new one', async () => {
  const [before, after] = ['a', 'b'].map((letter) => letter.repeat(1_000_000)) as [string, string]
  await writeFileAtomically(file, before)
  const written = new AbortController()
  const reading = (async () => {
    const found = new Set<string>()
    while (!written.signal.aborted) found.add(await readFile(file, 'utf8'))
    return found
  })()
  for (let n = 0; n < 20; n += 1) await writeFileAtomically(file, n % 2 === 0 ? after : before)
  written.abort()

  for (const text of await reading) expect(text === before || text === after).toBe(true)
})
