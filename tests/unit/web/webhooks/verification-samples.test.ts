import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createSigningSecret, signPayload } from '#core/endpoint/sign.ts'
import { VERIFICATION_SAMPLES } from '#web/webhooks/dialog/receiver/verification-samples.ts'

const run = promisify(execFile)
const BODY = '{"name":"Zoë \u{1f600}","note":"a.b"}'

const sampleOf = (id: string) => VERIFICATION_SAMPLES.find((sample) => sample.id === id)?.code ?? ''

/** The headers of a request, and ways to break them; only the first two are genuine. */
function makeCases() {
  const [secret, older] = [createSigningSecret(), createSigningSecret()]
  const now = Math.floor(Date.now() / 1000)
  const sign = (secrets: string[], timestamp = now) => ({
    'webhook-id': 'evt-1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signPayload(secrets, 'evt-1', timestamp, BODY),
  })
  const good = sign([secret])
  const cases = [
    { headers: good, body: BODY },
    { headers: sign([older, secret]), body: BODY },
    { headers: good, body: `${BODY} ` },
    { headers: { ...good, 'webhook-id': 'evt-2' }, body: BODY },
    { headers: sign([older]), body: BODY },
    { headers: sign([secret], now - 400), body: BODY },
    { headers: {}, body: BODY },
    { headers: { ...good, 'webhook-timestamp': '9'.repeat(5000) }, body: BODY },
    { headers: { ...good, 'webhook-timestamp': 'now' }, body: BODY },
  ]
  return { secret, cases, expected: cases.map((_one, index) => index < 2) }
}

async function judge(command: string, file: string, code: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-sample-'))
  try {
    const { secret, cases, expected } = makeCases()
    await writeFile(path.join(folder, file), code)
    await writeFile(path.join(folder, 'cases.json'), JSON.stringify(cases))
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], WEBHOOK_SECRET: secret }
    const { stdout } = await run(command, [file], { cwd: folder, env })
    expect(JSON.parse(stdout)).toEqual(expected)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the sample for Node accepts signed requests and nothing else', async () => {
  const code = `${sampleOf('node')}
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync('cases.json', 'utf8'))
console.log(JSON.stringify(cases.map(({ headers, body }) => isGenuine(headers, Buffer.from(body)))))`
  await judge(process.execPath, 'receiver.mjs', code)
})

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

test.runIf(hasPython)('the sample for Python accepts signed requests and nothing else', async () => {
  const code = `${sampleOf('python')}

import json
cases = json.load(open("cases.json"))
print(json.dumps([is_genuine(one["headers"], one["body"].encode()) for one in cases]))`
  await judge('python3', 'receiver.py', code)
})

test('there are samples in six languages, and none contains a secret', () => {
  expect(VERIFICATION_SAMPLES.map(({ label }) => label)).toEqual([
    'Node',
    'Python',
    'PHP',
    'Ruby',
    'Go',
    'Java',
  ])
  for (const { code } of VERIFICATION_SAMPLES) expect(code).toContain('WEBHOOK_SECRET')
})
