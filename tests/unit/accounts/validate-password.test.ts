import { describe, expect, it } from 'vitest'
import {
  PASSWORD_WORDS,
  SPECIAL_CHARACTERS,
  validatePassword,
} from '#core/domain/accounts/validate-password.ts'

const SHORT = 'Password must be at least 8 characters'
const LONG = 'Password too long'
const CLASSES = 'Password must contain at least one lowercase, uppercase, number, and special character'
const WEAK = 'Password contains weak patterns or insufficient complexity'

describe('validatePassword', () => {
  it.each(SPECIAL_CHARACTERS.split(''))('counts %s as a special character', (special) => {
    expect(validatePassword(`Quartz58${special}Lamp`)).toEqual([])
  })

  it('counts characters, not units of UTF-16', () => {
    expect(validatePassword(`Quartz-58-${'😀😁'.repeat(59)}`)).toEqual([])
    expect(validatePassword(`Quartz-58-${'😀😁'.repeat(60)}`)).toEqual(['too_long'])
  })

  it.each([
    ['', [SHORT, CLASSES]],
    ['Qz-58mn', [SHORT]],
    // Seven characters, but nine UTF-16 units.
    ['Qz-58😀😁', [SHORT]],
    ['quartz-58', [CLASSES]],
    ['QUARTZ-58', [CLASSES]],
    ['Quartz-no', [CLASSES]],
    ['Quartz 58', [CLASSES]],
    ['Quartz58é', [CLASSES]],
    ['QuartzLamp', [CLASSES, WEAK]],
    ['58694702', [CLASSES, WEAK]],
    ['Quartz-5888', [WEAK]],
    ['Quartz-1234', [WEAK]],
    ['Quartz-123', [WEAK]],
    ['58-aBcDe', [WEAK]],
    ['58-QWERTY-lamp', [WEAK]],
    ['58-Asdf-lamp', [WEAK]],
    ['PassWord-58', [WEAK]],
    ['Admin-5869', [WEAK]],
    ['LogIn-5869', [WEAK]],
    ['User-58694', [WEAK]],
    ['Testing-58', [WEAK]],
    ['aaa', [SHORT, CLASSES, WEAK]],
    [`Quartz-58${'xy'.repeat(60)}`, [LONG]],
  ])('lists the faults of %j in the order of the specification', (password, messages) => {
    expect(validatePassword(password).map((fault) => PASSWORD_WORDS[fault])).toEqual(messages)
  })

  it('accepts 8 to 128 characters', () => {
    expect(validatePassword('Qz-58mnp')).toEqual([])
    expect(validatePassword(`Quartz-58${'xy'.repeat(59)}z`)).toEqual([])
  })
})
