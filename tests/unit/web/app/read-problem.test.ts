import { describe, expect, test } from 'vitest'
import { errorSentence, isRefusal } from '#web/api/errors.ts'
import { readProblem } from '#web/api/read-problem.ts'

const tooMany = {
  type: 'about:blank',
  title: 'There are as many webhooks as there may be',
  status: 422,
  detail: 'An account may have 100 webhooks at most, and yours has 100.',
  code: 'too_many_webhooks',
  errors: [],
}
const read = (status: number, body: unknown) => errorSentence(readProblem(status, body))

describe('the server’s text about a failure', () => {
  test('is the problem’s detail, with a code for programs', () => {
    expect(readProblem(422, tooMany)).toMatchObject({ code: 'too_many_webhooks', message: tooMany.detail })
  })

  test('is the detail even with a code that only a newer server knows', () => {
    const fault = { path: 'plan', message: 'Choose a plan' }
    const error = readProblem(422, { ...tooMany, code: 'plan_too_small', errors: [fault] })

    expect(error).toMatchObject({ code: 'unexpected_answer', status: 422, errors: [fault] })
    expect(errorSentence(error)).toBe(tooMany.detail)
    expect(isRefusal(error)).toBe(true)
  })

  test('is the title if there is no detail', () => {
    expect(read(409, { title: 'The plan is over' })).toBe('The plan is over.')
    expect(read(409, { title: 'Is it over?', detail: ' ' })).toBe('Is it over?')
  })

  test('is read even if other members have wrong types', () => {
    expect(read(422, { ...tooMany, code: 7, errors: 'none', title: null })).toBe(tooMany.detail)
  })
})

describe('an answer without a text', () => {
  test.each([
    [413, undefined, 'This is more than the server accepts at once.'],
    [422, { detail: 12 }, 'The server refused this and gave no reason (422). Reload the page and try again.'],
    [429, undefined, 'Too many requests. Wait a minute, then try again.'],
    [500, 'oops', 'Something went wrong on the server (500). Try again in a minute.'],
    [502, undefined, 'The service is not available at the moment (502). Try again in a minute.'],
    [504, [], 'The service is not available at the moment (504). Try again in a minute.'],
  ])('with status %i gets a text that says what to do next', (status, body, sentence) => {
    expect(read(status, body)).toBe(sentence)
  })
})
