import { describe, expect, it } from 'vitest'
import { successRuleSchema, type SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import { judge } from './judge-answer.ts'

const CONVOSO: SuccessRule = {
  accepted: { path: 'success', equals: true },
  rejected: { path: 'success', equals: false },
}

it('a body is not checked without a rule', () => {
  for (const body of ['', null, 'anything', '{"success":false}']) {
    expect(judge(null, body)).toEqual({ outcome: null, receiverId: null })
  }
})

describe('a rule', () => {
  it('finds accepted and rejected values at a path', () => {
    expect(judge(CONVOSO, '{"success":true,"data":{}}')).toEqual({ outcome: 'accepted', receiverId: null })
    expect(judge(CONVOSO, '{"success":false,"text":"no such list"}')).toEqual({
      outcome: 'rejected',
      because: '"success" is false',
    })
  })

  it('finds text anywhere in a body that is not JSON, in either case', () => {
    const rule: SuccessRule = { accepted: { contains: 'success' }, rejected: { contains: 'FAILURE' } }
    expect(judge(rule, '<ReturnValue>Success</ReturnValue>')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule, '<ReturnValue>failure</ReturnValue>')).toEqual({
      outcome: 'rejected',
      because: 'it contains "FAILURE"',
    })
  })

  it('prefers a duplicate to a rejection, and a rejection to an acceptance', () => {
    const rule: SuccessRule = {
      accepted: { path: 'status', equals: true },
      duplicate: { contains: 'duplicate' },
      rejected: { path: 'error', equals: 1 },
    }
    expect(judge(rule, '{"status":true,"message":"Duplicate"}')).toMatchObject({ outcome: 'duplicate' })
    expect(judge(rule, '{"error":1,"message":"Duplicate"}')).toMatchObject({ outcome: 'duplicate' })
    expect(judge(rule, '{"status":true,"error":1}')).toMatchObject({ outcome: 'rejected' })
    expect(judge(rule, '{"status":true,"error":0}')).toMatchObject({ outcome: 'accepted' })
  })

  it('finds an empty list or object', () => {
    const rule = (equals: string): SuccessRule => ({ accepted: { path: 'errors', equals } })
    expect(judge(rule('[]'), '{"errors":[ ]}')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule('[ ]'), '{"errors":[]}')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule('{}'), '{"errors":{}}')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule('[]'), '{"errors":["no phone"]}')).toMatchObject({ outcome: 'unclear' })
    expect(judge(rule(''), '{"errors":[]}')).toMatchObject({ outcome: 'unclear' })
  })

  it('counts a list by the usual names of its length', () => {
    for (const name of ['length', 'size', 'count', 'Count', 'Length']) {
      const rule: SuccessRule = { accepted: { path: `data.errors.${name}`, equals: 0 } }
      expect(judge(rule, '{"data":{"errors":[]}}')).toMatchObject({ outcome: 'accepted' })
      expect(judge(rule, '{"data":{"errors":["no phone"]}}')).toMatchObject({ outcome: 'unclear' })
      expect(judge(rule, `{"data":{"errors":{"${name}":0}}}`)).toMatchObject({ outcome: 'accepted' })
      expect(judge(rule, '{"data":{"errors":{}}}')).toMatchObject({ outcome: 'unclear' })
    }
  })

  it('treats a blank at the end of a text as the end of a word', () => {
    const rule = (contains: string): SuccessRule => ({ accepted: { contains } })
    for (const body of [
      'Lead accepted',
      '{"message":"Lead accepted"}',
      'Lead accepted for X',
      'Lead accepted\n',
    ])
      expect(judge(rule('Lead accepted '), body)).toMatchObject({ outcome: 'accepted' })
    for (const body of ['valid', '"valid"', 'lead: valid', '>valid<'])
      expect(judge(rule(' valid'), body)).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule(' valid'), 'invalid')).toMatchObject({ outcome: 'unclear' })
    expect(judge(rule('ok '), 'oké')).toMatchObject({ outcome: 'unclear' })
    expect(judge(rule(String.raw`[$(^.*+?{|}\)] `), String.raw`[$(^.*+?{|}\)]`)).toMatchObject({
      outcome: 'accepted',
    })
    expect(judge(rule(' '), 'a b')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule(' '), 'ab')).toMatchObject({ outcome: 'unclear' })
  })

  it('finds JSON with or without blanks between its parts', () => {
    const rule = (contains: string): SuccessRule => ({ accepted: { contains } })
    const bodies = [
      '{"success":true,"id":1}',
      '{ "success" : true, "id": 1 }',
      '{\n  "success": true,\n  "id": 1\n}',
    ]
    for (const body of bodies) {
      for (const text of [
        '"success": true',
        '"success":true',
        '"success" : true',
        '{"success": true,\n  "id": 1}',
        '"success": ',
      ])
        expect(judge(rule(text), body)).toMatchObject({ outcome: 'accepted' })
      for (const text of ['"success": false', '"success": "true"', '"success": true}'])
        expect(judge(rule(text), body)).toMatchObject({ outcome: 'unclear' })
    }
    // WordPress writes dashes and dots like this.
    expect(judge(rule('Thanks - wait...'), '<p>Thanks &#8211; wait&hellip;</p>')).toMatchObject({
      outcome: 'accepted',
    })
    expect(judge(rule("We've it"), '<p>We&rsquo;ve&nbsp;it</p>')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule('Saved: 1, new'), '<p>Saved: 1, new</p>')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule('Saved: '), 'Saved: 1')).toMatchObject({ outcome: 'accepted' })
    // A page collapses line breaks, and French uses special spaces.
    expect(judge(rule('Thanks for it'), '<p>Thanks\n    for it</p>')).toMatchObject({ outcome: 'accepted' })
    expect(judge(rule('Envoyé !'), 'Envoyé\u00a0!')).toMatchObject({ outcome: 'accepted' })
  })

  it('finds a text whose characters the answer escapes', () => {
    const rule: SuccessRule = { duplicate: { contains: 'já existe/lead' } }
    expect(judge(rule, String.raw`{"m":"J\u00e1 existe\/lead"}`)).toMatchObject({ outcome: 'duplicate' })
    expect(judge(rule, '<p>J&#225; existe/lead</p>')).toMatchObject({ outcome: 'duplicate' })
    expect(judge(rule, String.raw`{"m":"Ja\u0301 existe"}`)).toMatchObject({ outcome: 'accepted' })
  })

  it('accepts a body that matches nothing, unless a match is required', () => {
    expect(judge({ rejected: { contains: 'error' } }, '<p>Thanks</p>')).toMatchObject({ outcome: 'accepted' })
    expect(judge({ rejected: { path: 'ok', equals: false } }, 'no JSON')).toMatchObject({
      outcome: 'accepted',
    })
    expect(judge({ accepted: { contains: 'thanks' } }, '<p>Login</p>')).toEqual({
      outcome: 'unclear',
      because: 'it does not contain "thanks"',
    })
  })

  it.each([
    ['"yes"', 'YES', true],
    ['0', '0', true],
    ['"0"', 0, true],
    ['1.0', 1, true],
    ['"1.0"', 1, false],
    ['true', 'true', true],
    ['"true"', true, true],
    ['null', null, true],
    ['""', '', true],
    ['0', '', false],
    ['""', 0, false],
    ['[1]', 1, false],
    ['{"a":1}', '[object Object]', false],
  ])('compares %s with %j as text: %s', (written, equals, same) => {
    const judged = judge({ accepted: { path: 'v', equals } }, `{"v":${written}}`)
    expect(judged.outcome).toBe(same ? 'accepted' : 'unclear')
  })

  it('never throws, and describes a faulty body in its own sentence', () => {
    const because = (body: string | null, bodyTruncated = false) => {
      const judged = judge({ accepted: { path: 'data.ok', equals: 1 } }, body, { bodyTruncated })
      return 'because' in judged ? judged.because : judged.outcome
    }
    expect(because('<html>')).toBe('it is not JSON, which a path needs')
    expect(because('{"data":')).toBe('it is not JSON, which a path needs')
    expect(because('{"data":{"ok":"', true)).toContain('longer than the 16 KiB')
    expect(because('')).toBe('its body is empty')
    expect(because(null)).toBe('its body is empty')
    expect(because('{"data":{"ok":2}}')).toBe('"data.ok" is not 1')
    for (const body of ['[]', 'null', '"text"', '7', '{}', '{"data":null}', '{"data":[]}', '{"data":"ok"}']) {
      expect(because(body)).toBe('it has no "data.ok"')
    }
    expect(because('['.repeat(16_000))).toContain('not JSON')
    expect(because('{"data":{"__proto__":1}}')).toContain('it has no')
  })

  it('quotes only the rule, and nothing else of the answer', () => {
    const judged = judge({ accepted: { path: 'status', equals: 'ok' } }, '{"status":"Avery Example exists"}')
    expect(JSON.stringify(judged)).not.toContain('Avery')
  })
})

describe('the receiver’s id', () => {
  const capture = (body: string, capturePath: string) => {
    const judged = judge(null, body, { capturePath })
    return 'receiverId' in judged ? judged.receiverId : undefined
  }

  it.each([
    ['{"data":{"lead_id":"L-1"}}', 'data.lead_id', 'L-1'],
    ['{"id":12345678901234567890}', 'id', '12345678901234567890'],
    ['[{"id":7}]', '[0].id', '7'],
    ['{"leads":[{"id":1},{"id":2}]}', 'leads[1].id', '2'],
    ['{"leads":[{"id":1},{"id":2}]}', 'leads.1.id', '2'],
    ['{"Lead Id":"a b"}', 'Lead Id', 'a b'],
    ['{"id":"  a\\u0000\\n\\tb  "}', 'id', 'a b'],
    ['{"id":true}', 'id', null],
    ['{"id":null}', 'id', null],
    ['{"id":""}', 'id', null],
    ['{"id":{"a":1}}', 'id', null],
    ['{"id":[1]}', 'id[5]', null],
    ['{"id":1}', 'constructor', null],
    ['not JSON', 'id', null],
  ])('in %s at %s is %j', (body, path, id) => {
    expect(capture(body, path)).toBe(id)
  })

  it('is cut after 200 whole characters', () => {
    expect(capture(`{"id":"${'x'.repeat(500)}"}`, 'id')).toBe('x'.repeat(200))
    expect(capture(`{"id":"${'🙂'.repeat(500)}"}`, 'id')).toBe('🙂'.repeat(200))
    expect(capture('{"id":"a\\ud800"}', 'id')).toBe('a\ufffd')
  })

  it('is kept for a duplicate too, and never for a rejection', () => {
    const rule: SuccessRule = { duplicate: { contains: 'dup' }, rejected: { contains: 'no' } }
    expect(judge(rule, '{"id":1,"m":"dup"}', { capturePath: 'id' })).toEqual({
      outcome: 'duplicate',
      receiverId: '1',
    })
    expect(judge(rule, '{"id":1,"m":"no"}', { capturePath: 'id' })).not.toHaveProperty('receiverId')
  })
})

describe('the form of a rule', () => {
  it.each([
    { accepted: { path: 'a.b[0].c d', equals: 1 } },
    { rejected: { contains: 'x' } },
    { accepted: { path: '[0]', equals: null }, duplicate: { contains: 'dup' } },
  ])('may be %j', (rule) => {
    expect(successRuleSchema.safeParse(rule).success).toBe(true)
  })

  it.each([
    {},
    [],
    'text',
    { accepted: undefined },
    { other: { contains: 'x' } },
    { accepted: { contains: '' } },
    { accepted: { path: 'a..b', equals: 1 } },
    { accepted: { path: '.a', equals: 1 } },
    { accepted: { path: 'a[x]', equals: 1 } },
    { accepted: { path: '', equals: 1 } },
    { accepted: { path: 'a', equals: { b: 1 } } },
    { accepted: { path: 'a' } },
    { accepted: { path: 'a', equals: 1, contains: 'b' } },
    { accepted: { path: 'x'.repeat(201), equals: 1 } },
  ])('may not be %j', (rule) => {
    expect(successRuleSchema.safeParse(rule).success).toBe(false)
  })
})
