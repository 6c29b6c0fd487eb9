import { describe, expect, it } from 'vitest'
import {
  offerInHeaders,
  offerInUrl,
  placeOffer,
  type Offer,
} from '#web/webhooks/dialog/template/palette/offer-placeholders.ts'
import { fillWithSample, layOutAddress, pickFilled } from '#web/webhooks/dialog/template/preview-address.ts'

const NOW = new Date('2026-06-10T12:00:00Z')
const CARET = '▮'

type OfferAt = typeof offerInUrl
const offerAt = (offer: OfferAt, text: string): Offer | null =>
  offer(text.replace(CARET, ''), text.indexOf(CARET), NOW)
const namesOf = (offer: Offer | null): string[] =>
  (offer?.groups ?? []).flatMap(({ items }) => items.map(({ name }) => name))

/** The text after an entry was chosen, with the caret in it. */
function choose(offerFrom: OfferAt, marked: string, inner: string): string {
  const offer = offerAt(offerFrom, marked)
  if (offer === null || !namesOf(offer).includes(inner)) return `no ${inner} in ${namesOf(offer).join(', ')}`
  const text = marked.replace(CARET, '')
  const { from, to, insert, caret } = placeOffer(text, marked.indexOf(CARET), offer, inner)
  const next = text.slice(0, from) + insert + text.slice(to)
  return next.slice(0, caret) + CARET + next.slice(caret)
}

describe('completion of placeholders in the URL and in headers', () => {
  it.each([
    ['a name', offerInUrl, 'https://x.example/?a={{pho▮&b=1', 'phone', 'https://x.example/?a={{phone}}▮&b=1'],
    [
      'braces that are there',
      offerInUrl,
      'https://x.example/?a={{▮}}',
      'state',
      'https://x.example/?a={{state}}▮',
    ],
    [
      'a format',
      offerInUrl,
      'https://x.example/?a={{phone | das▮',
      'phone | phone: dashed',
      'https://x.example/?a={{phone | phone: dashed}}▮',
    ],
    [
      'a result of a choice',
      offerInUrl,
      'https://x.example/?a={{alt_phone | if: empty, ph▮',
      'alt_phone | if: empty, lead.phone',
      'https://x.example/?a={{alt_phone | if: empty, lead.phone▮}}',
    ],
    [
      'a value of a header',
      offerInHeaders,
      '{"X-A": "of {{first▮"}',
      'first_name',
      '{"X-A": "of {{first_name}}▮"}',
    ],
    [
      'a value without quotes, in an object that stays closed',
      offerInHeaders,
      '{"X-A": {{first▮}',
      'first_name',
      '{"X-A": "{{first_name}}"▮}',
    ],
    [
      'a result of a choice without quotes',
      offerInHeaders,
      '{"X-A": {{alt_phone | if: empty, ph▮}',
      'alt_phone | if: empty, lead.phone',
      '{"X-A": "{{alt_phone | if: empty, lead.phone▮}}"}',
    ],
  ] as const)('writes %s', (_what, offer, text, inner, after) => {
    expect(choose(offer, text, inner)).toBe(after)
  })

  it.each([
    ['the path', offerInUrl, 'https://x.example/{{na▮'],
    ['the name of a header', offerInHeaders, '{"X-{{na▮": "a"}'],
    ['the name of a later header', offerInHeaders, '{"X-A": "a, b", "{{na▮'],
    ['what no name begins with', offerInUrl, 'https://x.example/?a={{zzz▮'],
    ['a closed placeholder', offerInUrl, 'https://x.example/?a={{name}}▮'],
  ] as const)('offers nothing in %s', (_what, offer, text) => {
    expect(offerAt(offer, text)).toBeNull()
  })

  it('offers the nearest first, with the value of the fictional lead', () => {
    const offer = offerAt(offerInUrl, 'https://x.example/?a={{state▮')
    expect(offer?.groups[0]?.items[0]).toMatchObject({ name: 'state', sample: 'CA' })
  })
})

describe('the preview of the URL and of headers', () => {
  const address = {
    url: 'https://x.example/?who={{name}}&key=1',
    headers: {
      'X-Lead': '{{id}}',
      'X-Source': 'leadwire',
      'X-Api-Key': 'of {{name}}',
      Authorization: 'Bearer abcdefghijklmnopqrstuvwxyz',
      'X-Kept': '••••wxyz',
    },
  }

  it('fills in the fictional lead, and masks what looks like a credential', () => {
    expect(layOutAddress('POST', address, fillWithSample(address, NOW)).split('\n')).toEqual([
      'POST https://x.example/?who=Test%20Lead&key=••••',
      'X-Lead: 00000000-0000-7000-8000-000000000001',
      'X-Source: leadwire',
      'X-Api-Key: ••••',
      'Authorization: Bearer ••••wxyz',
      'X-Kept: ••••wxyz',
    ])
  })

  it('sends no credential to the server for it', () => {
    expect(pickFilled(address)).toEqual({
      endpoint_url: address.url,
      custom_headers: { 'X-Lead': '{{id}}' },
    })
    expect(pickFilled({ url: 'https://x.example/?key=1', headers: { 'X-Source': 'leadwire' } })).toEqual({})
  })

  it('leaves a placeholder that saving would refuse as it is', () => {
    const refused = { url: 'https://x.example/?a={{nmae}}', headers: {} }
    expect(layOutAddress('PUT', refused, fillWithSample(refused, NOW))).toBe(
      'PUT https://x.example/?a={{nmae}}',
    )
  })
})
