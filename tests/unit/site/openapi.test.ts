import { describe, expect, test } from 'vitest'
import { apiRoutes } from '#server/api-routes.ts'
import type { Operation } from '#server/http/openapi/api-document.ts'
import { describeApi } from '#server/http/openapi/describe-api.ts'
import { exampleAnswer, exampleBody } from '#server/http/openapi/describe-operation.ts'

const document = describeApi(apiRoutes, 'https://leads.example.com')
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
)
const each = (find: (operation: Operation, path: string) => readonly (string | false)[]) =>
  operations.flatMap(({ name, path, operation }) =>
    find(operation, path).flatMap((fault) => (fault === false ? [] : [`${name}: ${fault}`])),
  )

describe('the OpenAPI document', () => {
  test('explains every call, parameter, answer and room', () => {
    const faults = each(({ summary, description, tags, parameters, requestBody, responses }) => [
      (summary === '' || description === '') && 'has no words',
      tags.length !== 1 && 'is in no room, or in several',
      ...parameters.map(({ name, description: words }) => words === '' && `does not explain ${name}`),
      requestBody?.description === '' && 'does not explain its body',
      ...Object.entries(responses).map(
        ([status, { description: words }]) => words === '' && `does not explain ${status}`,
      ),
    ])
    expect(faults).toEqual([])
    const used = new Set(operations.flatMap(({ operation }) => operation.tags))
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted())
    expect(document.tags.every(({ description }) => description.length > 20)).toBe(true)
  })

  test('names each call once, each path parameter where it stands, and no path twice in other words', () => {
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

  test('says of each call who may make it, by schemes that it describes, and what a refusal looks like', () => {
    const known = Object.keys(document.components.securitySchemes)
    const faults = each(({ security, responses }) => [
      ...security
        .flatMap((one) => Object.keys(one))
        .map((scheme) => !known.includes(scheme) && `knows no ${scheme}`),
      !('4XX' in responses && '5XX' in responses) && 'has no refusal',
      !Object.keys(responses).some((status) => status.startsWith('2')) && 'has no success',
    ])
    expect(faults).toEqual([])
    const used = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect(new Set(used)).toEqual(new Set(Object.keys(document.components.schemas)))
  })

  test('has an example of every JSON body and answer, which their own schemas take', () => {
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
})
