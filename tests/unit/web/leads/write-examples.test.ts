import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { EXAMPLE_LEAD } from '#core/contract/leads/posting-notes.ts'
import { countOf } from '#web/format/count-of.ts'
import { writeBatch, writeCurl, writeForm } from '#web/leads/posting-spec/write-examples.ts'

const KEY = 'Bearer YOUR_API_KEY'
const spec = {
  method: 'POST' as const,
  url: 'https://leads.example.com/api/v1/leads',
  batch: { url: 'https://leads.example.com/api/v1/leads/batch', most: 1000 },
  headers: [
    { name: 'Authorization', value: KEY },
    { name: 'Content-Type', value: 'application/json' },
  ],
  example: { ...EXAMPLE_LEAD, last_name: 'O\'Example $HOME `id` \\ "q"', custom: { policy: 'A-1' } },
}

/** Returns the arguments that a shell would pass to curl. */
function readArguments(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('the command line posts the example as JSON, despite the special characters of the shell', () => {
  const given = readArguments(writeCurl(spec))

  expect(given.slice(0, -1)).toEqual([
    '-X',
    'POST',
    spec.url,
    '-H',
    `Authorization: ${KEY}`,
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  expect(JSON.parse(given.at(-1) ?? '')).toEqual(spec.example)
})

test('the form posts the example as flat fields, and the batch posts one lead per line', () => {
  const fields = readArguments(writeForm(spec)).filter(
    (_given, at, all) => all[at - 1] === '--data-urlencode',
  )
  expect(fields).toContain(`last_name=${spec.example.last_name}`)
  expect(fields).toContain('custom.policy=A-1')
  expect(fields).toHaveLength(Object.keys(spec.example).length)

  const [command = '', rest = ''] = writeBatch(spec).split('\n\n')
  expect(readArguments(command)).toEqual(
    expect.arrayContaining([spec.batch.url, 'Content-Type: application/x-ndjson']),
  )
  expect(JSON.parse(rest.split('\n').at(-1) ?? '')).toEqual(spec.example)
})

test('days have a singular and a plural', () => {
  expect([countOf(7, 'day'), countOf(1, 'day'), countOf(2, 'delivery')]).toEqual([
    '7 days',
    '1 day',
    '2 deliveries',
  ])
})
