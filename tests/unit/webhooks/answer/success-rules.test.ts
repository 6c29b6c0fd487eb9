import { describe, expect, it } from 'vitest'
import { newSuccessRuleSchema, successRuleSchema } from '#core/contract/webhooks/answer-rules.ts'

it('a value loses the invisible characters at its ends', () => {
  const { data } = newSuccessRuleSchema.safeParse({ accepted: { path: 'status', equals: '\u200bok\u200b ' } })
  expect(data).toEqual({ accepted: { path: 'status', equals: 'ok' } })
})

describe('a success rule', () => {
  const faultOf = (rule: unknown): [string, string] | undefined => {
    const [issue] = newSuccessRuleSchema.safeParse(rule).error?.issues ?? []
    return issue && [issue.path.join('.'), issue.message]
  }

  it.each<[unknown, string, string]>([
    [
      { rejected: { path: 'ok', equals: 'yes' }, accepted: { path: 'ok', equals: ' yes ' } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    [
      { duplicate: { contains: 'ok' }, accepted: { contains: 'OK, saved' } },
      'accepted',
      'This can never fit: duplicate is tried before it, and fits whatever this does',
    ],
    [
      { duplicate: { contains: 'no' }, rejected: { contains: 'no' } },
      'rejected',
      'This can never fit: duplicate is tried before it, and fits whatever this does',
    ],
    [
      { rejected: { path: 'ok', equals: 1 }, accepted: { path: '$.ok', equals: '1' } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    [
      { rejected: { contains: 'fail' }, accepted: { path: 'status', equals: 'Failed' } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    [
      { rejected: { path: 'ok', equals: 1 }, accepted: { path: '$json.ok', equals: 1 } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    // Each answer that has the value also has its name.
    [
      { rejected: { contains: 'Error' }, accepted: { path: 'data.errors', equals: false } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    [
      { duplicate: { contains: '"duplicate"' }, rejected: { path: '$.duplicate', equals: 0 } },
      'rejected',
      'This can never fit: duplicate is tried before it, and fits whatever this does',
    ],
    [
      { rejected: { contains: '"error":' }, accepted: { path: 'error', equals: false } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    [
      { rejected: { contains: '"errors": [' }, accepted: { path: 'errors', equals: '[]' } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    [
      { rejected: { contains: '“error”' }, accepted: { path: 'error', equals: false } },
      'accepted',
      'This can never fit: rejected is tried before it, and fits whatever this does',
    ],
    [
      { accepted: { path: 'id', equals: '{{lead_id}}' } },
      'accepted.equals',
      'Placeholders are not filled in here: {{lead_id}}',
    ],
    [
      { accepted: { contains: 'lead {{id}} saved' } },
      'accepted.contains',
      'Placeholders are not filled in here: {{id}}',
    ],
    [{ accepted: { path: '/status', equals: 'ok' } }, 'accepted.path', 'Write status instead of /status'],
    [{ accepted: { path: 'status', equals: '"ok"' } }, 'accepted.equals', 'Write ok instead of "ok"'],
    [{ accepted: { path: 'status', equals: "'ok'" } }, 'accepted.equals', "Write ok instead of 'ok'"],
    [{ accepted: { path: 'status', equals: '‘ok’' } }, 'accepted.equals', 'Write ok instead of ‘ok’'],
    [{ accepted: { path: 'status', equals: '`ok`' } }, 'accepted.equals', 'Write ok instead of `ok`'],
    [{ accepted: { path: 'status', equals: '"ok",' } }, 'accepted.equals', 'Write ok instead of "ok",'],
    [{ accepted: { path: 'error', equals: '""' } }, 'accepted.equals', 'Leave this empty instead of ""'],
    [{ accepted: { path: 'status', equals: '== ok' } }, 'accepted.equals', 'Write ok instead of == ok'],
    [{ accepted: { path: 'status', equals: '=ok' } }, 'accepted.equals', 'Write ok instead of =ok'],
    ...[
      '!= error',
      '!==null',
      '<> 0',
      '> 0',
      '>=1',
      '*',
      'not null',
      'is not empty',
      '*ok*',
      '%ok%',
      '/ok/i',
      '^ok$',
      'ok || no',
      '2xx',
    ].map((equals): [unknown, string, string] => [
      { accepted: { path: 'status', equals } },
      'accepted.equals',
      `Only an equal value fits here, so ${equals} never does`,
    ]),
    ...['*ok*', '%ok%', '/ok/i', '^ok$', '.*ok.*', '^ok'].map((contains): [unknown, string, string] => [
      { accepted: { contains } },
      'accepted.contains',
      `Write ok instead of ${contains}`,
    ]),
    [{ duplicate: { path: 'a', equals: ' “no” ' } }, 'duplicate.equals', 'Write no instead of “no”'],
    [
      { accepted: { path: 'data..status', equals: 'ok' } },
      'accepted.path',
      'A path leads to one value of a JSON answer and is written like data.lead_id or leads[0].id',
    ],
  ])('%j can never match, and is refused at its faulty place', (rule, path, message) => {
    expect(faultOf(rule)).toEqual([path, message])
    // A stored rule with such a path is still read, unless the path contains `..`.
    const isOldForm = !JSON.stringify(rule).includes('..')
    expect(successRuleSchema.safeParse(rule).success).toBe(isOldForm)
  })

  it.each([
    { duplicate: { contains: 'duplicate' }, accepted: { contains: 'ok' } },
    { duplicate: { contains: 'ok, saved' }, accepted: { contains: 'ok' } },
    { rejected: { path: 'ok', equals: 0 }, accepted: { path: 'ok', equals: 1 } },
    { rejected: { path: 'a', equals: 1 }, accepted: { path: 'b', equals: 1 } },
    { rejected: { contains: '"error":true' }, accepted: { path: 'error', equals: false } },
    { rejected: { contains: '0' }, accepted: { path: 'leads.0.ok', equals: true } },
    { accepted: { path: 'html', equals: '<b>ok</b>' } },
    { accepted: { path: 'title', equals: 'Not found' } },
    { accepted: { path: 'level', equals: '-1' } },
    { accepted: { path: 'share', equals: '100%' } },
    { accepted: { contains: '* required' } },
    { accepted: { contains: 'SUCCESS|' } },
    { accepted: { contains: '/thanks/us' } },
    { accepted: { contains: '%20ok%20' } },
    { rejected: { contains: 'a.b' }, accepted: { path: 'a.b', equals: true } },
    { rejected: { contains: 'json' }, accepted: { path: '$json.ok', equals: true } },
    { rejected: { contains: 'length' }, accepted: { path: 'errors.length', equals: 0 } },
    { rejected: { path: 'id', equals: 1 }, accepted: { path: '$id', equals: 1 } },
  ])('%j may match', (rule) => {
    expect(faultOf(rule)).toBeUndefined()
  })
})
