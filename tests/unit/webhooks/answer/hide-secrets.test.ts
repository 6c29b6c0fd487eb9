import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSearches, createHider } from '#core/domain/webhooks/answer/hide-secrets.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

const HEAD = 64
const DOTS = '••••'

/** Slow and plain: compares each secret at each position. */
function hidePlainly(secrets: readonly string[], text: string): string {
  const isHidden = Array.from(text, () => false)
  for (let at = 0; at < text.length; at += 1)
    for (const secret of secrets) {
      let alike = 0
      while (alike < secret.length && text[at + alike] === secret[alike]) alike += 1
      if (alike >= Math.min(HEAD, secret.length)) isHidden.fill(true, at, at + alike)
    }
  return Array.from(text, (character, at) => {
    if (isHidden[at] !== true) return character
    return isHidden[at - 1] === true ? '' : DOTS
  }).join('')
}

/** Texts that repeat themselves, as a hostile client sends them. */
const repeating = fc
  .record({
    unit: fc.stringMatching(/^[ab]{1,5}$/),
    times: fc.integer({ min: 1, max: 20 }),
    end: fc.stringMatching(/^[abc]{0,12}$/),
  })
  .map(({ unit, times, end }) => unit.repeat(times) + end)
const secret = repeating.filter((text) => text.length >= 8)

describe('secrets', () => {
  it('are hidden in every position, as by a simple reference search', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 2 }),
        fc.array(repeating, { maxLength: 1 }),
        (secrets, others) => {
          const text = [
            ...others,
            ...secrets,
            ...others.toReversed(),
            ...secrets.map((one) => one.slice(0, -3)),
          ].join('')
          expect(createHider(secrets)(text)).toBe(hidePlainly(secrets, text))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each([
    [['token-0123456789', 'Bearer token-0123456789'], '{"a":"\\/"}', 2],
    [['token/0123456789'], '{"a":"b"}', 1],
    [['token/0123456789'], '{"a":"\\/"}', 19],
  ])('%j in %s need so many searches: %i', (secrets, text, times) => {
    expect(countSearches(secrets, text)).toBe(times)
  })

  it('in the longest payload of escapes are found quickly', () => {
    const hide = createHider(['q9X/f7Lr+aa83hZ/Kk20TtVb=='])
    const threadMs = startThreadClock()
    for (const escape of ['\\\\', '%2F', '%C0%80', '%FF%80%80%80', '&lt;', '%', '&#'])
      hide(escape.repeat(262_000 / escape.length))
    expect(threadMs()).toBeLessThan(300)
  })

  it('in a text made to be slow hide the whole text except its line breaks', () => {
    const text = 'a'.repeat(200_000)
    expect(createHider(['a'.repeat(70_000)])(`${text}\n${text}`)).toBe(`${DOTS}\n${DOTS}`)
  })

  it.each([
    [
      'values of many words that begin alike',
      Array.from({ length: 150 }, (_word, at) => `${'a'.repeat(1000)}b${at}`),
    ],
    ['short words', Array.from({ length: 150 }, (_word, at) => `aaaaa${String(at).padStart(3, '0')}`)],
  ])('%s are found quickly in the longest payload', (_what, secrets) => {
    const hide = createHider(secrets)
    const text = 'a'.repeat(262_000)
    const threadMs = startThreadClock()
    hide(text)
    // Comparing each secret at each position would take seconds.
    expect(threadMs()).toBeLessThan(300)
  })
})
