import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText } from '#core/domain/clean-text.ts'

test('keeps a name unchanged, except for the spaces around it', () => {
  expect(cleanText("  Zoë O'Neill & Sons, Ltd. (data team) ")).toBe("Zoë O'Neill & Sons, Ltd. (data team)")
})

test.each([
  ['<b>Robin</b>', 'bRobin/b'],
  ['javascript:alert(1)', 'alert(1)'],
  ['JaVaScRiPt:alert(1)', 'alert(1)'],
  ['vbscript:x data:y', 'x y'],
  ['Robin onclick=evil', 'Robin evil'],
  ['Robin ONLOAD = evil', 'Robin  evil'],
])('strips text that could become markup: %s', (given, expected) => {
  expect(cleanText(given)).toBe(expected)
})

test('strips markup that appears only after stripping', () => {
  expect(cleanText('java<script:alert(1)')).toBe('alert(1)')
  expect(cleanText('jadata:vascript:alert(1)')).toBe('alert(1)')
})

test('leaves no markup in any combination, and stripping again changes nothing', () => {
  const pieces = [
    'java',
    'script',
    'javascript:',
    'da',
    'ta',
    ':',
    'vb',
    'on',
    'onload',
    'x',
    '=',
    ' ',
    '<',
    '>',
    'DATA:',
    '-',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
      const cleaned = cleanText(parts.join(''))
      expect(cleaned).not.toMatch(/[<>]|javascript:|data:|vbscript:|\bon\w+\s*=/i)
      expect(cleanText(cleaned)).toBe(cleaned)
    }),
    { numRuns: 2000 },
  )
})
