import { describe, expect, it } from 'vitest'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import { presetSchema, type Preset } from '#core/contract/webhooks/presets/preset.ts'
import { DEFAULT_PAYLOAD_TEMPLATE, newWebhookConfigSchema } from '#core/contract/webhooks/webhook-config.ts'
import {
  fillJsonConstants,
  fillUrlConstants,
  findConstants,
  refuseUnfilled,
} from '#core/domain/webhooks/template/constants.ts'
import { checkCustomHeaders } from '#core/domain/webhooks/custom-headers.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'

const now = new Date('2026-01-31T12:00:00Z')
const guard = createAddressGuard([])
const templateOf = (preset: Preset) => JSON.stringify(preset.payload_template)
const valuesOf = (preset: Preset) =>
  Object.fromEntries(preset.constants.map(({ name }, index) => [name, `value${index}`]))

it('every receiver has one preset, and the plain one is first', () => {
  const ids = PRESETS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual([
    'plain',
    'zapier',
    'make',
    'gohighlevel',
    'hubspot',
    'salesforce',
    'zoho',
    'ringy',
    'agencybloc',
    'vanillasoft',
    'convoso',
    'five9',
    'ricochet360',
    'insureio',
  ])
  expect(PRESETS[0].payload_template).toEqual(DEFAULT_PAYLOAD_TEMPLATE)
})

describe.each(PRESETS.map((preset) => [preset.name, preset] as const))('%s', (_name, preset) => {
  it('has the form of a preset', () => {
    expect(presetSchema.parse(preset)).toEqual(preset)
  })

  it('names each of its constants, and no other', () => {
    const held = findConstants(
      `${preset.endpoint_url} ${JSON.stringify(preset.custom_headers)} ${templateOf(preset)}`,
    )
    expect(held.toSorted()).toEqual(preset.constants.map(({ name }) => name).toSorted())
  })

  it('renders the sample lead without unknown placeholders', () => {
    const template = fillJsonConstants(templateOf(preset), valuesOf(preset))
    const { body, unknownPlaceholders } = renderPayload(
      template,
      preset.payload_type,
      sampleValues('lead.assigned', now),
      preset.missing_values,
    )
    expect(unknownPlaceholders).toEqual([])
    expect(body).not.toMatch(/<<|>>|\{\{|%3C%3C/)
    if (preset.payload_type === 'JSON') expect(JSON.parse(body)).toBeTypeOf('object')
    else
      expect([...new URLSearchParams(body).keys()]).toEqual(
        expect.arrayContaining(Object.keys(preset.payload_template).slice(0, 2)),
      )
  })

  it('can be saved only after its constants are filled in', () => {
    const values = valuesOf(preset)
    const url = fillUrlConstants(preset.endpoint_url, values) || 'https://crm.example.com/'
    expect(guard.checkUrl(url)).toMatchObject({ ok: true })
    expect(checkCustomHeaders(preset.custom_headers)).toEqual([])
    const {
      id: _id,
      name,
      note: _note,
      endpoint_example: _example,
      constants: _constants,
      ...fields
    } = preset
    const config = {
      ...fields,
      webhook_name: name,
      endpoint_url: url,
      payload_template: JSON.parse(fillJsonConstants(templateOf(preset), values)) as unknown,
    }
    expect(newWebhookConfigSchema.safeParse(config).error).toBeUndefined()
    const unfilled = refuseUnfilled(preset.endpoint_url + templateOf(preset))
    expect(unfilled === undefined).toBe(preset.constants.length === 0)
  })
})

describe('a constant', () => {
  it('is escaped for JSON and for a URL', () => {
    const values = { oid: 'a"b\\c\n', token: 'x y&z/?#' }
    expect(JSON.parse(fillJsonConstants('{"a":"<<oid>>-<<oid>>"}', values))).toEqual({
      a: 'a"b\\c-a"b\\c',
    })
    const url = new URL(fillUrlConstants('https://crm.example.com/<<token>>?token=<<token>>', values))
    expect(url.pathname).toBe('/x%20y%26z%2F%3F%23')
    expect(url.searchParams.get('token')).toBe('x y&z/?#')
  })

  it('stays in the text if it has no value, and is named once', () => {
    const text = '{"a":"<<oid>>","b":"<<list_id>>","c":"<<oid>>"}'
    expect(fillJsonConstants(text, { oid: '  ', constructor: 'x' })).toBe(text)
    expect(refuseUnfilled(text)).toBe('Fill in oid, list_id: they stand between << and >> until you do')
    expect(refuseUnfilled('{"a":"<<toString>>"}')).toContain('toString')
  })

  it('is not confused with similar text', () => {
    for (const text of ['a << b >> c', '<<>>', '<< oid >>', '<oid>', '<<1>>', '{{oid}}', '<<a-b>>']) {
      expect(refuseUnfilled(text)).toBeUndefined()
    }
  })
})
