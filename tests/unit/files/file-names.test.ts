import { describe, expect, test } from 'vitest'
import { isAllowedType } from '#core/domain/files/is-allowed-type.ts'
import { isFileName, ownerFolder } from '#core/domain/files/judge-file-name.ts'

describe('a file name', () => {
  test.each(['a.txt', 'owner/a.txt', "owner/it's (1).txt", 'owner/..a/b..', 'a/.keep'])(
    'may be %j',
    (name) => {
      expect(isFileName(name, 1024)).toBe(true)
    },
  )

  test.each([
    '',
    '/a',
    'a/',
    'a//b',
    'a/./b',
    '../a',
    'a/..',
    'a/ /b',
    'a\0b',
    'a\\b',
    '%2e%2e/a',
    'a\nb',
    'ä.txt',
    'a/\u2025/b',
    'a\u202etxt.exe',
    'a'.repeat(1025),
  ])('cannot be %j', (name) => {
    expect(isFileName(name, 1024)).toBe(false)
  })

  test('has its owner in the first folder', () => {
    expect([ownerFolder('me/a/b.txt'), ownerFolder('b.txt')]).toEqual(['me', undefined])
  })
})

test.each([
  [null, 'text/html', true],
  [['image/png'], 'image/png', true],
  [['image/png'], 'IMAGE/PNG; charset=x', true],
  [['image/png'], 'image/svg+xml', false],
  [['audio/*'], 'audio/mpeg', true],
  [['audio/*'], 'audiovisual/mpeg', false],
  [['*/*'], 'a/b', true],
  [[], 'a/b', false],
])('a bucket for %j and the type %j: %j', (allowed, type, isAllowed) => {
  expect(isAllowedType(allowed, type)).toBe(isAllowed)
})
