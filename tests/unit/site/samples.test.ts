import { describe, expect, it } from 'vitest'
import { readPages } from '#scripts/site/read-pages.ts'
import { readSamples } from '#tests/support/samples/read-samples.ts'
import { runPage } from '#tests/support/samples/run-page.ts'

/** Returns the faults of the blocks of a page with this text. */
async function faultsOf(markdown: string, env: Record<string, string> = {}) {
  const outcomes = await runPage(readSamples({ path: '/documentation/page', markdown }), env)
  return outcomes.flatMap(({ fault }) => fault ?? [])
}
const block = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n\n`

describe('a page', () => {
  it('may run samples that use exports, files and output of earlier samples', async () => {
    const page = [
      'Text.\n',
      block('sh run', 'export NAME=Rosa'),
      block('js file=greet.mjs', 'console.log(`Hello ${process.env.NAME}`)'),
      block('sh run', `"${process.execPath}" greet.mjs`),
      block('text output', 'Hello …a'),
      block(
        'js run',
        'console.log(JSON.stringify({ name: process.env.NAME, ms: Date.now(), at: new Date() }))',
      ),
      block(
        'json output schema=object varies=ms',
        '{ "name": "Ro…", "ms": 3, "at": "2026-01-01T00:00:00.000Z" }',
      ),
      block('json schema=success-rule', '{ "accepted": { "path": "status", "equals": "ok" } }'),
      block('sh', 'this is for the reader alone'),
    ]
    expect(await faultsOf(page.join(''))).toEqual([])
  })

  it.each([
    ['a command that fails', block('sh run', 'echo oops; exit 3'), 'ended with 3: oops'],
    ['a program that throws', block('js run', 'throw new Error("broken")'), 'broken'],
    [
      'a program that prints something else',
      block('js run', 'console.log(1)') + block('text output', '2'),
      'printed: 1',
    ],
    [
      'JSON that its schema refuses',
      block('json schema=success-rule', '{ "acepted": 1 }'),
      'is no success-rule',
    ],
    ['JSON that is none', block('json schema=object', '{ a: 1 }'), 'is no JSON'],
    ['JSON of no schema', block('json', '{}'), 'must say of which schema it is'],
    ['a schema that is not there', block('json schema=nothing', '{}'), 'there is no schema "nothing"'],
    [
      'printed JSON of another schema',
      block('sh run', 'echo "{}"') + block('json output schema=webhook-limit', '{ "max_per_client": 1 }'),
      'is no webhook-limit',
    ],
    [
      'printed JSON with another value',
      block('sh run', `echo '{ "max_per_client": 2 }'`) +
        block('json output schema=webhook-limit', '{ "max_per_client": 1 }'),
      'max_per_client is 2, and 1 on the page',
    ],
    [
      'printed JSON with a member more',
      block('sh run', `echo '{ "a": [{ "b": 1, "c": 2 }] }'`) +
        block('json output schema=object', '{ "a": [{ "b": 1 }] }'),
      'a[0] has b, c, and b on the page',
    ],
    [
      'a varying value of another type',
      block('sh run', `echo '{ "ms": null }'`) + block('json output schema=object varies=ms', '{ "ms": 3 }'),
      'ms is null, and 3 on the page',
    ],
    ['a server that ends at once', block('sh background', 'exit 1'), 'ended with 1'],
    ['a language that nothing runs', block('cobol run', 'STOP RUN.'), 'nothing runs cobol'],
  ])('fails for %s', async (_what, page, reason) => {
    expect((await faultsOf(page)).join()).toContain(reason)
  })

  it('fails if a sample is changed to be wrong, and not otherwise', async () => {
    const page = readPages('documentation').find(({ slug }) => slug === 'verify-signatures')
    const samples = readSamples(page ?? { path: '', markdown: '' })
    const at = samples.findIndex(({ values }) => values['file'] === 'verify.py')
    // The program and its output.
    const both = samples.slice(at, at + 2)
    const run = async (change: (text: string) => string) => {
      const outcomes = await runPage(both, {}, change)
      return outcomes.flatMap(({ fault }) => fault ?? [])
    }
    expect(await run((text) => text)).toEqual([])
    const faults = await run((text) => text.replace('+ body', '+ body.strip(b"}")'))
    expect(faults.join()).toContain('printed: False')
  })

  it('states why it skips a sample', async () => {
    const page = block('sh run needs=no-such-command', 'exit 1')
    const [outcome] = await runPage(readSamples({ path: '/', markdown: page }), {})
    expect(outcome).toMatchObject({ skipped: 'there is no no-such-command on this machine' })
  })

  it('closes each block', () => {
    expect(() => readSamples({ path: '/a', markdown: '```sh\nls\n' })).toThrow(
      '/a: the block of line 1 has no end',
    )
  })
})
