import type { Operation } from '#server/http/openapi/api-document.ts'

/** One call as a reader would write it. */
export interface SampleCall {
  method: string
  /** with an example in place of each id */
  path: string
  /** the variable of the token that it needs */
  token: 'ACCESS_TOKEN' | 'SOURCE_KEY' | undefined
  body: unknown
}

/** @param path in the form of OpenAPI */
export function readCall(method: string, path: string, operation: Operation): SampleCall {
  const schemes = operation.security.flatMap((one) => Object.keys(one))
  return {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, '01920000-0000-7000-8000-000000000001') + writeQuery(operation),
    token: schemes.includes('sourceKey')
      ? 'SOURCE_KEY'
      : schemes.includes('accessToken')
        ? 'ACCESS_TOKEN'
        : undefined,
    body: operation.requestBody?.content['application/json']?.example,
  }
}

/** The required query parameters. */
function writeQuery({ parameters }: Operation): string {
  const needed = parameters.filter((one) => one.in === 'query' && one.required)
  return needed.length === 0 ? '' : `?${needed.map(({ name }) => `${name}=…`).join('&')}`
}

/** The three samples of a call. @param words after the language, such as `run` */
export function writeSamples(call: SampleCall, words = ''): string {
  return [
    ['sh', writeCurl(call)],
    ['js', writeNode(call)],
    ['python', writePython(call)],
  ]
    .map(([language = '', text = '']) => `\`\`\`${language}${words}\n${text}\n\`\`\``)
    .join('\n\n')
}

function writeCurl({ method, path, token, body }: SampleCall): string {
  const isUsual = body === undefined ? method === 'GET' : method === 'POST'
  return [
    `curl --silent --show-error --fail-with-body "$LEADWIRE_URL${path}"`,
    ...(isUsual ? [] : [`--request ${method}`]),
    ...(token === undefined ? [] : [`--header "Authorization: Bearer $${token}"`]),
    ...(body === undefined
      ? []
      : [
          "--header 'Content-Type: application/json'",
          `--data '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ')
}

function writeNode({ method, path, token, body }: SampleCall): string {
  const headers = [
    ...(token === undefined ? [] : [`Authorization: \`Bearer \${process.env.${token}}\``]),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  return [
    `const response = await fetch(\`\${process.env.LEADWIRE_URL}${path}\`, {`,
    `  method: '${method}',`,
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`]),
    '})',
    'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)',
    'console.log(await response.text())',
  ].join('\n')
}

function writePython({ method, path, token, body }: SampleCall): string {
  const headers = [
    ...(token === undefined ? [] : [`"Authorization": "Bearer " + os.environ["${token}"]`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  return [
    body === undefined ? 'import os, urllib.request' : 'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    os.environ["LEADWIRE_URL"] + "${path}",`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${indent(writeLiteral(body), '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ].join('\n')
}

/** JSON is Python except for three words; within texts they stay. */
function writeLiteral(value: unknown): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (found) => words[found] ?? found,
  )
}

function indent(text: string, by = '  '): string {
  return text.replaceAll('\n', `\n${by}`)
}
