import { describe, expect, it } from 'vitest'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import { readRule, showRule } from '#web/webhooks/dialog/answers/answer-rule-values.ts'
import {
  chooseEndpointUrl,
  findOverwritten,
  startFromPreset,
} from '#web/webhooks/dialog/preset/apply-preset.ts'
import { splitPreview } from '#web/webhooks/dialog/template/preview-template.ts'
import {
  constantsOf,
  NEW_WEBHOOK_VALUES,
  webhookFormSchema,
  writeWebhookFields,
} from '#web/webhooks/dialog/webhook-form-values.ts'
import { diffLines } from '#web/format/diff-lines.ts'

const presetOf = (id: string) => {
  const found = PRESETS.find((preset) => preset.id === id)
  if (found === undefined) throw new Error(`no preset ${id}`)
  return found
}
const plain = startFromPreset(presetOf('plain'))
const convoso = startFromPreset(presetOf('convoso'))

describe('a form that starts from a preset', () => {
  it('is empty with the plain preset', () => {
    expect(NEW_WEBHOOK_VALUES).toMatchObject(plain)
  })

  it('asks before it overwrites typed values', () => {
    expect(findOverwritten(plain, plain, convoso)).toEqual([])
    const typed = {
      ...plain,
      payload_template: '{"mine":1}',
      capture_path: 'id',
      endpoint_url: 'https://x.example.com',
    }
    expect(findOverwritten(typed, plain, convoso)).toEqual([
      'endpoint_url',
      'payload_template',
      'capture_path',
    ])
    expect(findOverwritten(convoso, plain, convoso)).toEqual([])
  })

  it('keeps a typed address if the preset has none, and removes that of another preset', () => {
    const zapier = startFromPreset(presetOf('zapier'))
    const typed = { ...plain, endpoint_url: 'https://hooks.example.com/1' }
    expect(findOverwritten(typed, plain, zapier)).toEqual([])
    expect(chooseEndpointUrl(typed, plain, zapier)).toBe('https://hooks.example.com/1')
    expect(chooseEndpointUrl(convoso, convoso, zapier)).toBe('')
    expect(chooseEndpointUrl(typed, plain, convoso)).toBe(convoso.endpoint_url)
  })

  const values = { ...NEW_WEBHOOK_VALUES, ...convoso, webhook_name: 'CRM', preset: 'convoso' }
  const faultsOf = (given: object) =>
    (webhookFormSchema.safeParse({ ...values, ...given }).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ])

  it('names each empty constant, beside every other fault', () => {
    expect(constantsOf(values)).toEqual(['auth_token', 'list_id'])
    expect(faultsOf({ webhook_name: '', constants: { list_id: '7' } })).toEqual([
      ['webhook_name', 'Webhook Name is required'],
      ['constants.auth_token', 'Fill in Auth token (auth_token)'],
    ])
    expect(faultsOf({ constants: { list_id: '7', auth_token: ' ' } })).toHaveLength(1)
    expect(faultsOf({ constants: { list_id: '7', auth_token: 'a' } })).toEqual([])
  })

  it('accepts a constant as a host name', () => {
    const insureio = startFromPreset(presetOf('insureio'))
    expect(faultsOf({ ...insureio, constants: { organization: 'example', brand_id: '1' } })).toEqual([])
    expect(
      faultsOf({ endpoint_url: 'not a <<url>>', constants: { auth_token: 'a', list_id: '1', url: 'x' } }),
    ).toHaveLength(1)
  })

  it('sends the constants in their places, and the rule as one value', () => {
    const sent = writeWebhookFields({ ...values, constants: { auth_token: 'a"b', list_id: '7', other: 'x' } })
    expect(JSON.parse(sent.payload_template)).toMatchObject({ auth_token: 'a"b', list_id: '7' })
    expect(sent).toMatchObject({
      success_rule: { accepted: { path: 'success', equals: true } },
      capture_path: 'data.lead_id',
      missing_values: 'omit',
    })
    expect(sent).not.toHaveProperty('constants')
    expect(sent).not.toHaveProperty('preset')
    expect(writeWebhookFields({ ...NEW_WEBHOOK_VALUES })).toMatchObject({
      success_rule: null,
      capture_path: null,
    })
  })
})

describe('a success rule in the form', () => {
  it.each([
    null,
    { accepted: { path: 'success', equals: true } },
    {
      accepted: { contains: 'ok' },
      duplicate: { path: 'm', equals: 'Duplicate' },
      rejected: { path: 'e', equals: 0 },
    },
    { rejected: { path: 'e', equals: null } },
    { rejected: { path: 'e', equals: '00' } },
    { rejected: { path: 'e', equals: '' } },
  ])('is read back unchanged: %j', (rule) => {
    expect(readRule(showRule(rule))).toEqual(rule)
  })

  it.each([
    [{ kind: 'path', path: '', value: 'x' }, 'answer.rejected.path'],
    [{ kind: 'path', path: 'a..b', value: 'x' }, 'answer.rejected.path'],
    [{ kind: 'contains', path: '', value: '' }, 'answer.rejected.value'],
  ])('that is %j has a fault at %s', (rejected, path) => {
    const answer = { ...showRule(null), rejected }
    const { error } = webhookFormSchema.safeParse({
      ...NEW_WEBHOOK_VALUES,
      webhook_name: 'CRM',
      endpoint_url: 'https://crm.example.com',
      answer,
    })
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})

describe('a difference of two texts', () => {
  const show = (before: string, after: string) =>
    diffLines(before.split(''), after.split('')).map(
      ({ kind, text }) => ({ same: ' ', removed: '-', added: '+' })[kind] + text,
    )

  it.each([
    ['abc', 'abc', [' a', ' b', ' c']],
    ['abc', 'axc', [' a', '-b', '+x', ' c']],
    ['abcd', 'bd', ['-a', ' b', '-c', ' d']],
    ['bd', 'abcd', ['+a', ' b', '+c', ' d']],
    ['ab', 'xy', ['-a', '-b', '+x', '+y']],
  ])('of %s and %s is %j', (before, after, lines) => {
    expect(show(before, after)).toEqual(lines)
  })

  it('of texts that are too long is the whole of both', () => {
    const long = Array.from({ length: 1200 }, (_, index) => String(index))
    expect(diffLines(long, ['0'])).toHaveLength(1201)
  })

  it('ignores a comma at the end of a line', () => {
    expect(splitPreview('{\n  "a": 1,\n  "b": 2\n}', 'JSON')).toEqual(['{', '  "a": 1', '  "b": 2', '}'])
    expect(splitPreview('a=1&b=2', 'FORM')).toEqual(['a=1', 'b=2'])
  })
})
