import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFreeBytes } from '#core/file-store/disk-space.ts'
import { openDiskStore } from '#core/file-store/open-disk-store.ts'
import type { Staging } from '#core/file-store/stage-bytes.ts'
import type { RedisConnection } from '#core/queue/redis.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { waitUntil } from '#tests/support/condition.ts'

const MIB = 1024 * 1024
const LIMITS = { mostBytes: 100 * MIB, scans: true }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stage-bytes-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const open = (given: Partial<Staging> = {}) => openDiskStore({ folder, reserveBytes: 0, ...given })
const unfinished = () => readdirSync(path.join(folder, 'unfinished'))
const stored = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
async function* bytesOf(text: string, pieces = 1): AsyncGenerator<Buffer> {
  for (let count = 0; count < pieces; count += 1) yield await Promise.resolve(Buffer.from(text))
}

/** A command of the operator's that notes its words, and ends with the code that the file names. */
function givenScanner(): { command: string[]; words: () => string[] } {
  const noted = path.join(folder, 'words')
  const command = path.join(folder, 'scan')
  const script = `#!/bin/sh
printf '%s\\n' "$@" > '${noted}'
env | cut -d= -f1 | tr '\\n' ' ' >> '${noted}'
case "$(cat "$2")" in infected) exit 1;; broken) exit 2;; slow) exec sleep 60;; esac`
  writeFileSync(command, script)
  chmodSync(command, 0o755)
  return {
    command: [command, '$(touch pwned); --quiet'],
    words: () => readFileSync(noted, 'utf8').trim().split('\n'),
  }
}

test('a scan gets the finished file before it exists, without a shell and without our secrets', async () => {
  const scanner = givenScanner()
  const announced: string[] = []
  const store = open({ scan: { command: scanner.command, timeoutMs: 10_000 } })
  const announce = ({ sha256 }: { sha256: string }) => Promise.resolve(void announced.push(sha256))
  const { sha256 } = await store.write(bytesOf('clean'), { ...LIMITS, announce })

  const [first, file, variables] = scanner.words()
  expect(first).toBe('$(touch pwned); --quiet')
  expect(file).toMatch(/\/unfinished\/[\da-f-]{36}$/)
  expect(
    (variables ?? '')
      .split(' ')
      .filter((name) => !['PATH', 'LANG', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
  ).toEqual([])
  expect(announced).toEqual([sha256])
  await expect(store.write(bytesOf('infected'), { ...LIMITS, announce })).rejects.toMatchObject({
    name: 'FileInfected',
  })
  await expect(store.write(bytesOf('broken'), { ...LIMITS, announce })).rejects.toThrow(/it exited with 2/)
  expect(announced).toEqual([sha256])
  expect(unfinished()).toEqual([])
  expect(
    stored()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([sha256, 'scan', 'words'].toSorted())
})

test('a scan that takes too long, or that cannot be run, refuses the file', async () => {
  const { command } = givenScanner()
  const slow = open({ scan: { command, timeoutMs: 200 } })
  await expect(slow.write(bytesOf('slow'), LIMITS)).rejects.toThrow(/it was ended by SIGKILL/)
  const missing = open({ scan: { command: [path.join(folder, 'nothing')], timeoutMs: 1000 } })
  await expect(missing.write(bytesOf('clean'), LIMITS)).rejects.toMatchObject({ name: 'FileScanFailed' })
  expect(unfinished()).toEqual([])
})

test('bytes that the product made are not scanned', async () => {
  const store = open({ scan: { command: ['/bin/false'], timeoutMs: 1000 } })
  await expect(store.write(bytesOf('an export'), { mostBytes: 100 })).resolves.toMatchObject({ size: 9 })
})

test('refuses a file while less than the reserve is free', async () => {
  const full = open({ reserveBytes: Number.MAX_SAFE_INTEGER })
  await expect(full.write(bytesOf('lead'), LIMITS)).rejects.toMatchObject({ name: 'FileStoreFull' })
  expect(stored()).toEqual([])
})

/** Mounts a small disk; only root may. */
function mountDisk(size: string): (() => void) | undefined {
  const run = (program: string, ...words: string[]): void =>
    void execFileSync(program, words, { stdio: 'ignore' })
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)
  } catch {
    return undefined
  }
  return () => run('umount', folder)
}

test('a disk that runs full in the middle of a file keeps nothing of it, and takes smaller ones', async ({
  skip,
}) => {
  const unmount = mountDisk('2m')
  if (unmount === undefined) return skip('no disk can be mounted here')
  try {
    const store = open()
    await expect(store.write(bytesOf('x'.repeat(MIB), 3), LIMITS)).rejects.toMatchObject({
      name: 'FileStoreFull',
    })
    expect(stored()).toEqual([])
    const { sha256, size } = await store.write(bytesOf('x'.repeat(MIB)), LIMITS)
    expect(size).toBe(MIB)
    expect(stored()).toMatchObject([{ name: sha256 }])
  } finally {
    unmount()
  }
})

test('a file that would reach into the reserve is refused in the middle of it', async ({ skip }) => {
  const unmount = mountDisk('64m')
  if (unmount === undefined) return skip('no disk can be mounted here')
  try {
    let sent = 0
    async function* many(): AsyncGenerator<Buffer> {
      for (; sent < 60; sent += 1) yield await Promise.resolve(Buffer.alloc(MIB, sent))
    }
    const store = open({ reserveBytes: 32 * MIB })
    await expect(store.write(many(), LIMITS)).rejects.toMatchObject({ name: 'FileStoreFull' })
    expect(sent).toBeLessThan(50)
    expect(await readFreeBytes(folder)).toBeGreaterThan(60 * MIB)
  } finally {
    unmount()
  }
})

test('a server removes rests of uploads from its own disk', async () => {
  const store = open()
  await store.write(bytesOf('lead'), LIMITS)
  const rest = path.join(folder, 'unfinished', 'rest')
  writeFileSync(rest, 'part')
  const before = new Date(Date.now() - 86_400_001)
  utimesSync(rest, before, before)
  const counting = { client: {} as RedisConnection, prefix: 'test' }
  const { close } = openStorage({ counting, files: store, logger: createLogger('test', 'silent') }, 5)
  await waitUntil(() => Promise.resolve(!existsSync(rest)), { what: 'The rest being removed' })
  await close()
})

test('removes what a crash left behind, and nothing that is being written', async () => {
  const store = open()
  const [old, young] = ['old', 'young'].map((name) => path.join(folder, 'unfinished', name)) as [
    string,
    string,
  ]
  await store.write(bytesOf('lead'), LIMITS)
  for (const file of [old, young]) writeFileSync(file, 'part')
  const before = new Date(Date.now() - 60_000)
  utimesSync(old, before, new Date(before.getTime() - 1000))

  expect(await store.removeUnfinished(before)).toBe(1)
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  expect(statSync(young).size).toBe(4)
  expect(
    await openDiskStore({ folder: path.join(folder, 'none'), reserveBytes: 0 }).removeUnfinished(before),
  ).toBe(0)
})
