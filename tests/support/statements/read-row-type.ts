import { existsSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { parseFile, type SyntaxNode } from './find-statements.ts'

/** The possible runtime types of a value in a row of PostgreSQL. */
export type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'object' | 'null' | 'undefined' | 'unknown'
export type Members = Map<string, Set<Kind>>

interface Place {
  node: SyntaxNode
  file: string
}

const files = new Map<string, SyntaxNode[]>()

/**
 * Reads the members of a declared row type from its syntax: literals, interfaces, aliases, `&`, `|`, Omit,
 * Pick, a schema's `z.infer`, the table types of core/data/schema, in any file.
 * @throws Error for an unknown notation
 */
export async function readMembers(node: SyntaxNode, file: string): Promise<Members> {
  switch (node.type) {
    case 'TsParenthesizedType':
      return await readMembers(child(node, 'typeAnnotation'), file)
    case 'TsTypeLiteral':
      return await readSignatures(node['members'] as SyntaxNode[], file)
    case 'TsIntersectionType':
      return await merge(node, file, (known, more) => more ?? known ?? new Set())
    case 'TsUnionType':
      return await merge(node, file, (known = new Set(), more = new Set()) => new Set([...known, ...more]))
    case 'TsTypeReference':
      return await readReference(node, file)
    default:
      throw new Error(`${file}: no members are known of ${node.type}`)
  }
}

async function readReference(node: SyntaxNode, file: string): Promise<Members> {
  const [first, second] = argumentsOf(node)
  const name = nameOf(node)
  if (name === 'z.infer') return readShape(await schemaOf(first, file))
  if (first !== undefined && (name === 'Readonly' || name === 'Selectable'))
    return await readMembers(first, file)
  if (first !== undefined && second !== undefined && (name === 'Omit' || name === 'Pick')) {
    const keys = await readKeys(second, file)
    const members = await readMembers(first, file)
    return new Map([...members].filter(([key]) => keys.has(key) === (name === 'Pick')))
  }
  const found = find(name, file)
  if (found.node.type !== 'TsInterfaceDeclaration')
    return await readMembers(child(found.node, 'typeAnnotation'), found.file)
  const own = await Promise.all(
    listSignatures(name, file).map(async (one) => {
      const kinds = await readKinds(one.node, one.file)
      return [one.name, one.isOptional ? kinds.add('undefined') : kinds] as const
    }),
  )
  return new Map(own)
}

/** Returns an interface's members, including inherited ones, each with the file of its type. */
export function listSignatures(
  name: string,
  file: string,
): (Place & { name: string; isOptional: boolean })[] {
  const found = find(name, file)
  const inherited = (found.node['extends'] as { expression: SyntaxNode }[]).flatMap(({ expression }) =>
    listSignatures(String(expression['value']), found.file),
  )
  const own = (child(found.node, 'body')['body'] as SyntaxNode[]).map(
    ({ key, typeAnnotation, optional }) => ({
      name: String((key as SyntaxNode)['value']),
      node: child(typeAnnotation as SyntaxNode, 'typeAnnotation'),
      file: found.file,
      isOptional: optional === true,
    }),
  )
  return [...inherited, ...own]
}

async function readSignatures(signatures: readonly SyntaxNode[], file: string): Promise<Members> {
  const members: Members = new Map()
  for (const { key, typeAnnotation, optional } of signatures) {
    const kinds = await readKinds(child(typeAnnotation as SyntaxNode, 'typeAnnotation'), file)
    members.set(textOf(key as SyntaxNode), optional === true ? kinds.add('undefined') : kinds)
  }
  return members
}

async function merge(
  node: SyntaxNode,
  file: string,
  join: (known: Set<Kind> | undefined, more: Set<Kind> | undefined) => Set<Kind>,
): Promise<Members> {
  const all = await Promise.all((node['types'] as SyntaxNode[]).map((part) => readMembers(part, file)))
  const names = new Set(all.flatMap((members) => [...members.keys()]))
  return new Map(
    [...names].map((name) => [
      name,
      all.map((members) => members.get(name)).reduce((known, more) => join(known, more)) ?? new Set(),
    ]),
  )
}

/** Returns the possible runtime types of a member. */
export async function readKinds(node: SyntaxNode, file: string): Promise<Set<Kind>> {
  switch (node.type) {
    case 'TsKeywordType':
      return kindOf(String(node['kind']))
    case 'TsLiteralType':
      return kindOf(child(node, 'literal').type.replace('Literal', '').toLowerCase())
    case 'TsUnionType':
    case 'TsIntersectionType': {
      const all = await Promise.all((node['types'] as SyntaxNode[]).map((part) => readKinds(part, file)))
      return unite(all)
    }
    case 'TsParenthesizedType':
    case 'TsTypeOperator':
      return await readKinds(child(node, 'typeAnnotation'), file)
    case 'TsArrayType':
    case 'TsTupleType':
    case 'TsTypeLiteral':
      return new Set(['object'])
    case 'TsIndexedAccessType':
      return await readIndexed(node, file)
    case 'TsTypeReference': {
      const [first] = argumentsOf(node)
      const name = nameOf(node)
      if (name === 'Date') return new Set(['Date'])
      if (['Array', 'Buffer', 'Record', 'Readonly', 'Omit', 'Pick', 'ReadonlyArray'].includes(name))
        return new Set(['object'])
      if (first !== undefined && ['Generated', 'ColumnType', 'NonNullable'].includes(name))
        return await readKinds(first, file)
      if (name === 'z.infer') return kindsOfSchema(await schemaOf(first, file))
      const found = find(name, file)
      return found.node.type === 'TsInterfaceDeclaration'
        ? new Set(['object'])
        : await readKinds(child(found.node, 'typeAnnotation'), found.file)
    }
    default:
      throw new Error(`${file}: nothing is known of ${node.type}`)
  }
}

/** Resolves `Row['member']` or `(typeof LIST)[number]`. */
async function readIndexed(node: SyntaxNode, file: string): Promise<Set<Kind>> {
  const list = listOf(node)
  if (list !== undefined) {
    const values = (await valueOf(list, file)) as readonly unknown[]
    return new Set(values.flatMap((value) => [...kindOf(typeof value)]))
  }
  const members = await readMembers(child(node, 'objectType'), file)
  const keys = await readKeys(child(node, 'indexType'), file)
  return unite([...keys].map((key) => members.get(key) ?? new Set<Kind>()))
}

async function readKeys(node: SyntaxNode, file: string): Promise<Set<string>> {
  if (node.type === 'TsLiteralType') return new Set([String((node['literal'] as SyntaxNode)['value'])])
  if (node.type === 'TsUnionType') {
    const all = await Promise.all((node['types'] as SyntaxNode[]).map((part) => readKeys(part, file)))
    return unite(all)
  }
  if (node.type === 'TsTypeOperator') {
    return new Set((await readMembers(child(node, 'typeAnnotation'), file)).keys())
  }
  const list = listOf(node)
  if (list !== undefined) return new Set((await valueOf(list, file)) as readonly string[])
  const found = find(nameOf(node), file)
  return await readKeys(child(found.node, 'typeAnnotation'), found.file)
}

/** Returns the name of LIST in `(typeof LIST)[number]`. */
function listOf(node: SyntaxNode): string | undefined {
  if (node.type !== 'TsIndexedAccessType') return undefined
  const object = child(node, 'objectType')
  const query = object.type === 'TsParenthesizedType' ? child(object, 'typeAnnotation') : object
  return query.type === 'TsTypeQuery' ? String((query['exprName'] as SyntaxNode)['value']) : undefined
}

async function schemaOf(query: SyntaxNode | undefined, file: string): Promise<z.ZodType> {
  if (query === undefined) throw new Error(`${file}: z.infer of nothing`)
  return (await valueOf(textOf(child(query, 'exprName')), file)) as z.ZodType
}

/** Returns a constant of a module, which must export it. */
async function valueOf(name: string, file: string): Promise<unknown> {
  const module = (await import(path.resolve(file))) as Record<string, unknown>
  if (name in module) return module[name]
  const imported = importOf(name, file)
  if (imported === undefined) throw new Error(`${file} does not export ${name}`)
  return await valueOf(imported.name, imported.file)
}

function readShape(schema: z.ZodType): Members {
  const { shape } = schema as unknown as { shape: Record<string, z.ZodType> }
  return new Map(Object.entries(shape).map(([name, member]) => [name, kindsOfSchema(member)]))
}

function kindsOfSchema(schema: z.ZodType): Set<Kind> {
  const definition = schema.def as unknown as Record<string, unknown> & { type: string }
  const { type, innerType, options, values } = definition
  if (type === 'nullable') return kindsOfSchema(innerType as z.ZodType).add('null')
  if (type === 'optional') return kindsOfSchema(innerType as z.ZodType).add('undefined')
  if (innerType !== undefined) return kindsOfSchema(innerType as z.ZodType)
  if (type === 'union') return unite((options as z.ZodType[]).map(kindsOfSchema))
  if (type === 'literal') return new Set((values as unknown[]).flatMap((value) => [...kindOf(typeof value)]))
  return kindOf(type)
}

function kindOf(name: string): Set<Kind> {
  const known: Record<string, Kind> = {
    enum: 'string',
    template: 'string',
    string: 'string',
    number: 'number',
    int: 'number',
    boolean: 'boolean',
    date: 'Date',
    null: 'null',
    undefined: 'undefined',
    object: 'object',
    record: 'object',
    array: 'object',
  }
  return new Set([known[name] ?? 'unknown'])
}

function find(name: string, file: string): Place {
  for (const statement of statementsOf(file)) {
    const node = (statement['declaration'] as SyntaxNode | undefined) ?? statement
    if (
      (node.type === 'TsInterfaceDeclaration' || node.type === 'TsTypeAliasDeclaration') &&
      (node['id'] as SyntaxNode)['value'] === name
    )
      return { node, file }
  }
  const imported = importOf(name, file)
  if (imported === undefined)
    throw new Error(`${file}: the type ${name} is declared nowhere that is looked at`)
  return find(imported.name, imported.file)
}

function importOf(name: string, file: string): { name: string; file: string } | undefined {
  for (const statement of statementsOf(file)) {
    if (statement.type !== 'ImportDeclaration') continue
    const from = String((statement['source'] as SyntaxNode)['value'])
    const target = from.startsWith('#') ? from.slice(1) : path.join(path.dirname(file), from)
    for (const one of statement['specifiers'] as SyntaxNode[])
      if ((one['local'] as SyntaxNode)['value'] === name && existsSync(target))
        return {
          name: textOf((one['imported'] as SyntaxNode | null) ?? (one['local'] as SyntaxNode)),
          file: target,
        }
  }
  return undefined
}

function statementsOf(file: string): SyntaxNode[] {
  const known = files.get(file) ?? parseFile(file)
  files.set(file, known)
  return known
}

function child(node: SyntaxNode, name: string): SyntaxNode {
  return node[name] as SyntaxNode
}

function argumentsOf(node: SyntaxNode): SyntaxNode[] {
  return (node['typeParams'] as { params: SyntaxNode[] } | null | undefined)?.params ?? []
}

function nameOf(node: SyntaxNode): string {
  const name = child(node, 'typeName')
  if (name.type !== 'TsQualifiedName') return String(name['value'])
  return `${String(child(name, 'left')['value'])}.${String(child(name, 'right')['value'])}`
}

/** Returns the text of a name or a literal. */
function textOf(node: SyntaxNode): string {
  return String(node['value'])
}

function unite<Value>(sets: readonly Set<Value>[]): Set<Value> {
  return new Set(sets.flatMap((set) => [...set]))
}
