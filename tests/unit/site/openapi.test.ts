import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { PROBLEM_CODES } from '#core/contract/problem.ts'
import { AppError } from '#core/errors.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { describeProblem } from '#server/http/errors/handle-errors.ts'
import type { ApiResponse, Operation } from '#server/http/openapi/api-document.ts'
import { describeApi } from '#server/http/openapi/describe-api.ts'
import { exampleAnswer, exampleBody, toJsonSchema } from '#server/http/openapi/describe-operation.ts'
import { describeMembers, MEMBER_WORDS } from '#server/http/openapi/members/describe-members.ts'
import { findTag } from '#server/http/openapi/tags.ts'

/** Rules beyond the recommended ones. */
const STRICTER = {
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'parameter-description': 'error',
  'no-required-schema-properties-undefined': 'error',
} as const
const document = describeApi(apiRoutes, 'https://leads.test')
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
)
const each = (find: (operation: Operation, path: string) => readonly (string | false)[]) =>
  operations.flatMap(({ name, path, operation }) =>
    find(operation, path).flatMap((fault) => (fault === false ? [] : [`${name}: ${fault}`])),
  )

const listResponses = (responses: Operation['responses']): [string, ApiResponse][] =>
  Object.entries(responses).map(([status, one]) => [
    status,
    '$ref' in one ? refused(document.components.responses[one.$ref.split('/').at(-1) ?? '']) : one,
  ])
function refused(response: ApiResponse | undefined): ApiResponse {
  if (response === undefined) throw new Error('It names an answer that is not there')
  return response
}

describe('the OpenAPI document', () => {
  test('describes every call, parameter, answer and tag', () => {
    const faults = each(({ summary, description, tags, parameters, requestBody, responses }) => [
      (summary === '' || description === '') && 'has no words',
      tags.length !== 1 && 'is in no room, or in several',
      ...parameters.map(({ name, description: words }) => words === '' && `does not explain ${name}`),
      requestBody?.description === '' && 'does not explain its body',
      ...parameters.map(({ name, example }) => example === undefined && `has no example of ${name}`),
      ...listResponses(responses).flatMap(([status, { description: words, content = {} }]) => [
        words === '' && `does not explain ${status}`,
        ...Object.entries(content).map(
          ([type, { example }]) => example === undefined && `has no example of ${status} as ${type}`,
        ),
      ]),
      ...Object.entries(requestBody?.content ?? {}).map(
        ([type, { example }]) => example === undefined && `has no example of its body as ${type}`,
      ),
    ])
    expect(faults).toEqual([])
    const used = new Set(operations.flatMap(({ operation }) => operation.tags))
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted())
    expect(document.tags.every(({ description }) => description.length > 20)).toBe(true)
  })

  test('names each call once, each path parameter in its place, and no path twice under other names', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    const faults = each(({ parameters }, path) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const told = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
      return [
        inPath.join() !== told.join() && `tells ${told.join()} of ${inPath.join()}`,
        path.endsWith('/') && 'ends with a slash',
      ]
    })
    expect(faults).toEqual([])
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  test('names the callers of each call by declared schemes, and describes its refusals', () => {
    const known = Object.keys(document.components.securitySchemes)
    const faults = each(({ security, responses }) => [
      ...security
        .flatMap((one) => Object.keys(one))
        .map((scheme) => !known.includes(scheme) && `knows no ${scheme}`),
      !('4XX' in responses && '5XX' in responses) && 'has no refusal',
      !Object.keys(responses).some((status) => status.startsWith('2')) && 'has no success',
    ])
    expect(faults).toEqual([])
    const used = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)].map(
      ([, name]) => name,
    )
    const { schemas, responses } = document.components
    expect(new Set(used)).toEqual(
      new Set([
        ...Object.keys(schemas).map((name) => `schemas/${name}`),
        ...Object.keys(responses).map((name) => `responses/${name}`),
      ]),
    )
  })

  test('names every status that a problem may have, and the header that says how long to wait', () => {
    const { Refused, Failed } = document.components.responses
    const statuses = PROBLEM_CODES.map((code) => describeProblem(new AppError(code, '')).status)
    for (const status of statuses.filter((one) => one < 500))
      expect(Refused?.description).toContain(String(status))
    for (const response of [Refused, Failed])
      expect(Object.keys(response?.headers ?? {})).toEqual(['Retry-After', 'X-Request-Id'])
  })

  test('has an example of every JSON body and answer, which is valid for its schema', () => {
    const faults = apiRoutes.flatMap((route) => {
      const name = `${route.method.toUpperCase()} ${route.path}`
      const answers = Object.entries(route.answers).flatMap(([status, schema]) =>
        schema === null ? [] : [{ what: status, schema, example: exampleAnswer(schema) }],
      )
      const isJson = route.body !== undefined && route.takes !== 'part'
      const bodies = isJson ? [{ what: 'body', schema: route.body, example: exampleBody(route) }] : []
      return [...bodies, ...answers].flatMap(({ what, schema, example }) => {
        const parsed = schema?.safeParse(example)
        return parsed === undefined || parsed.success
          ? []
          : parsed.error.issues.map((issue) => `${name} ${what} ${issue.path.join('.')}: ${issue.message}`)
      })
    })
    expect(faults).toEqual([])
  })

  test('describes every member of a body or an answer, in words that are all used', () => {
    const used = new Set<string>()
    for (const route of apiRoutes) {
      const { slug } = findTag(route.path.replaceAll(/:(\w+)/g, '{$1}'), route.method)
      const read = (schema: z.ZodType | null | undefined, io: 'input' | 'output') =>
        schema && describeMembers(toJsonSchema(schema, io), slug, (key) => used.add(key))
      read(route.body, 'input')
      for (const schema of Object.values(route.answers)) read(schema, 'output')
    }
    const keys = MEMBER_WORDS.flatMap((words) => Object.keys(words))
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
    // A lead that is read has most fields of a posted lead.
    expect(keys.filter((key) => !used.has(key) && !key.includes('/.'))).toEqual([])
  })

  test('passes a strict linter', { timeout: 60_000 }, async () => {
    const config = await createConfig({ extends: ['recommended-strict'], rules: STRICTER })
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: '/openapi.json',
      config,
    })
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    ).toEqual([])
  })
})
