import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { prepareRequest } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { readPages } from '#scripts/site/read-pages.ts'
import { readSamples } from '#tests/support/samples/read-samples.ts'
import { isThere } from '#tests/support/samples/runtimes.ts'
import { writeCurl } from '#web/webhooks/attempt/write-curl.ts'

const run = promisify(execFile)
const EVENT = '01a0aeb7-3d5c-7000-8000-4b8a5c1d2e40'

it.runIf(isThere('openssl'))(
  'the shell commands compute the signature of a real request from the data in the log',
  async () => {
    const secret = createSigningSecret()
    const request = prepareRequest(
      {
        endpointUrl: 'https://crm.example.com/leads',
        method: 'POST',
        payloadType: 'JSON',
        template: compileTemplate(
          '{"name": "{{name}}", "note": "it\'s 100 % \\\\n {{comments}}", "n": 1.50}',
        ),
        missingValues: 'empty',
        answerRules: { successRule: null, capturePath: null },
        customHeaders: {},
        signingSecrets: [secret],
      },
      { event: 'lead.assigned', eventId: EVENT, deliveryId: EVENT, attempt: 1, sentAt: new Date() },
      { name: 'Zoë 😀', comments: "O'Hara" },
      'https://leads.example.com',
    )
    // A reader copies this part after --data-raw, including the quotes.
    const body = writeCurl(request).split('--data-raw ')[1] ?? ''
    const page = readPages('documentation').find(({ slug }) => slug === 'verify-signatures')
    const sample = readSamples(page ?? { path: '', markdown: '' }).find(
      ({ values }) => values['file'] === 'sign.sh',
    )
    const commands = (sample?.text ?? '')
      .replace(/^SECRET=.*$/m, () => `SECRET='${secret}'`)
      .replace(/^ID=.*$/m, () => `ID='${EVENT}'`)
      .replace(/^TIMESTAMP=.*$/m, () => `TIMESTAMP='${request.headers['webhook-timestamp'] ?? ''}'`)
      .replace(/^printf %s '.*' > body.json$/m, () => `printf %s ${body} > body.json`)
    const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-sign-'))
    try {
      const { stdout } = await run('sh', ['-euc', commands], { cwd: folder })
      expect(`v1,${stdout.trim()}`).toBe(request.headers['webhook-signature'])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)
