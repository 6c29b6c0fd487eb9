import { describe, expect, it } from 'vitest'
import { bindToOrigin, isSameOrigin, keepMaskedHeaders } from '#core/domain/webhooks/keep-masked.ts'
import { isCredential, isMask, maskCredentials, maskValue } from '#core/domain/webhooks/mask-credentials.ts'

describe('a header is a credential', () => {
  it.each([
    ['Authorization', 'anything'],
    ['X-Api-Key', 'abc'],
    ['apikey', 'abc'],
    ['XApiKey', 'abc'],
    ['api_key', 'abc'],
    ['X-Key', 'abc'],
    ['x-functions-key', 'abc'],
    ['X-Auth', 'abc'],
    ['X-AuthToken', 'abc'],
    ['X-Access-Token', 'abc'],
    ['X-Client-Secret', 'abc'],
    ['X-Password', 'abc'],
    ['X-PIN', '1234'],
    ['Cookie', 'a=b'],
    ['X-Session-Id', 'abc'],
    ['X-Signature', 'abc'],
    ['X-Hub-Credentials', 'abc'],
  ])('by its name: %s', (name, value) => {
    expect(isCredential(name, value)).toBe(true)
  })

  it.each([
    ['Bearer abc'],
    ['Basic dXNlcjpwYXNz'],
    ['bearer abc'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
    ['sk_live_x'],
    ['whsec_abc'],
    ['a1b2c3d4e5f6a7b8c9d0e1f2'],
    ['0123456789abcdef0123456789abcdef'],
  ])('by the form of its value: %s', (value) => {
    expect(isCredential('X-Plain', value)).toBe(true)
  })

  it.each([
    ['X-Source', 'leadwire'],
    ['Content-Language', 'en-US'],
    ['User-Agent', 'Example/1.0 (+https://crm.example.com)'],
    ['X-Keyword', 'insurance'],
    ['X-Author', 'Avery Example'],
    ['X-Monkey', 'business'],
    ['X-Campaign', 'autumn-final-expense-campaign'],
    ['X-Campaign-Id', 'a1b2c3d4e5f6a7b8c9d0e1f2'],
    ['X-Account', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['X-Compass', 'north'],
    ['X-Note', 'two words 1234567890 and more of them'],
    ['X-Empty', ''],
  ])('is not recognised in %s: %s', (name, value) => {
    expect(isCredential(name, value)).toBe(false)
  })
})

describe('a mask', () => {
  it.each([
    ['short', '••••'],
    ['nineteen-characters', '••••'],
    ['exactly-twenty-chars', '••••hars'],
    ['Bearer short', 'Bearer ••••'],
    ['Bearer 0123456789abcdefghij', 'Bearer ••••ghij'],
    ['Basic dXNlcjp3aGF0ZXZlci1sb25nLXBhc3N3b3Jk', 'Basic ••••'],
    ['', '••••'],
  ])('of %j is %s', (value, mask) => {
    expect(maskValue(value)).toBe(mask)
    expect(isMask(mask)).toBe(true)
  })

  it('covers only credentials', () => {
    expect(maskCredentials({ 'X-Source': 'leadwire', 'X-Api-Key': 'abc' })).toEqual({
      'X-Source': 'leadwire',
      'X-Api-Key': '••••',
    })
  })
})

describe('keepMaskedHeaders', () => {
  const stored = { Authorization: 'Bearer abc', 'X-Source': 'leadwire' }
  const same = bindToOrigin('https://crm.example.com/a', 'https://crm.example.com/b')
  const elsewhere = bindToOrigin('https://other.example.com/a', 'https://crm.example.com/b')
  const changed = 'Enter the value again: the endpoint has changed'

  it('restores the stored value for its mask, whatever the case of the name', () => {
    expect(keepMaskedHeaders({ authorization: 'Bearer ••••', 'X-New': '1' }, stored, same)).toEqual({
      headers: { authorization: 'Bearer abc', 'X-New': '1' },
      errors: [],
    })
  })

  it('keeps nothing for another origin, whether masked or left out', () => {
    const errors = [{ path: 'custom_headers.Authorization', message: changed }]
    expect(keepMaskedHeaders({ Authorization: 'Bearer ••••' }, stored, elsewhere).errors).toEqual(errors)
    expect(keepMaskedHeaders(undefined, stored, elsewhere).errors).toEqual(errors)
    expect(keepMaskedHeaders({ Authorization: 'Bearer new' }, stored, elsewhere).errors).toEqual([])
    expect(keepMaskedHeaders(undefined, { 'X-Source': 'leadwire' }, elsewhere).errors).toEqual([])
  })

  it('refuses a mask without a stored value', () => {
    for (const given of [
      { 'X-Other': '••••' },
      { Authorization: 'Bearer ••••zzzz' },
      { Authorization: '•' },
    ]) {
      expect(keepMaskedHeaders(given, stored, same).errors).toHaveLength(1)
    }
    expect(keepMaskedHeaders({ Authorization: '••••' }, undefined, same).errors).toHaveLength(1)
  })
})

describe('isSameOrigin', () => {
  it.each([
    ['https://crm.example.com/a', 'https://CRM.example.com:443/b?c', true],
    ['https://crm.example.com', 'http://crm.example.com', false],
    ['https://crm.example.com', 'https://crm.example.com:8443', false],
    ['https://crm.example.com', 'https://evil.example.com', false],
    ['https://crm.example.com', 'https://crm.example.com.evil.example', false],
    ['nonsense', 'nonsense', false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(isSameOrigin(one, other)).toBe(same)
  })
})
