import type { PostingSpec } from '#core/contract/leads/posting-spec.ts'

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Formats a lead as JSON in the way a person writes it. */
export function writeJson({ example }: Pick<PostingSpec, 'example'>): string {
  return JSON.stringify(example, null, 2)
}

/** Formats the request as a curl command. */
export function writeCurl(spec: Pick<PostingSpec, 'url' | 'method' | 'headers' | 'example'>): string {
  const headers = spec.headers.map(({ name, value }) => `  -H ${quote(`${name}: ${value}`)} \\`)
  return [`curl -X ${spec.method} ${quote(spec.url)} \\`, ...headers, `  -d ${quote(writeJson(spec))}`].join(
    '\n',
  )
}

/** Formats the request as a form: flat names, one per line. */
export function writeForm(spec: Pick<PostingSpec, 'url' | 'headers' | 'example'>): string {
  const headers = spec.headers.filter(({ name }) => name !== 'Content-Type')
  const fields = Object.entries(spec.example).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.entries(value).map(([key, member]) => [`${name}.${key}`, member] as const)
      : [[name, String(value)] as const],
  )
  return [
    `curl ${quote(spec.url)} \\`,
    ...headers.map(({ name, value }) => `  -H ${quote(`${name}: ${value}`)} \\`),
    fields.map(([name, value]) => `  --data-urlencode ${quote(`${name}=${value}`)}`).join(' \\\n'),
  ].join('\n')
}

/** Formats many leads as NDJSON, one per line. */
export function writeBatch(spec: Pick<PostingSpec, 'batch' | 'headers' | 'example'>): string {
  const headers = spec.headers.map(
    ({ name, value }) =>
      `  -H ${quote(`${name}: ${name === 'Content-Type' ? 'application/x-ndjson' : value}`)} \\`,
  )
  return [
    `curl -X POST ${quote(spec.batch.url)} \\`,
    ...headers,
    '  --data-binary @leads.ndjson',
    '',
    '# leads.ndjson, a lead a line:',
    JSON.stringify(spec.example),
  ].join('\n')
}
