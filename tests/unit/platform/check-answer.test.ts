import { describe, expect, it } from 'vitest'
import { checkAnswer } from '#tests/http/support/check-answer.ts'

const check = (method: string, path: string, status: number, body: unknown, type = 'application/json') => {
  checkAnswer(method, path, { status, type, text: body === undefined ? '' : JSON.stringify(body) })
}
const ID = '01900000-0000-7000-8000-000000000000'
const problem = (fields: object = {}) => ({
  type: 'about:blank',
  title: 'Not found',
  status: 404,
  detail: 'Nothing has this id.',
  code: 'not_found',
  errors: [],
  ...fields,
})
const PROBLEM = 'application/problem+json; charset=utf-8'

describe('an answer of the API', () => {
  it('passes if it has the form that its route declares', () => {
    check('POST', '/api/v1/leads?x=1', 200, { result: 'duplicate', lead_id: ID })
    check('DELETE', `/api/v1/webhook-configs/${ID}`, 204, undefined)
    check('GET', `/api/v1/leads/${ID}`, 404, problem(), PROBLEM)
    check('GET', '/api/v1/nothing', 404, problem(), PROBLEM)
  })

  it.each<[string, () => void, RegExp]>([
    [
      'a member more',
      () => check('POST', '/api/v1/leads', 200, { result: 'duplicate', lead_id: ID, name: 'x' }),
      /more than/,
    ],
    ['a member less', () => check('POST', '/api/v1/leads', 200, { result: 'duplicate' }), /refuses/],
    [
      'a status that nothing declares',
      () => check('POST', '/api/v1/leads', 202, {}),
      /declared: 200, 201, 422/,
    ],
    [
      'a problem as plain JSON',
      () => check('GET', `/api/v1/leads/${ID}`, 404, problem()),
      /which nothing declares/,
    ],
    ['a problem of another status', () => check('GET', '/api/v1/me', 403, problem(), PROBLEM), /says 404/],
    [
      'a problem with an unknown code',
      () => check('GET', '/api/v1/me', 404, problem({ code: 'x' }), PROBLEM),
      /refuses/,
    ],
  ])('fails with %s', (_what, run, message) => {
    expect(run).toThrow(message)
  })
})
