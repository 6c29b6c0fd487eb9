/** The part of zod's JSON Schema that is read here. */
export interface JsonSchema {
  type?: string | readonly string[]
  format?: string
  pattern?: string
  description?: string
  const?: unknown
  examples?: readonly unknown[]
  default?: unknown
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxLength?: number
  items?: JsonSchema
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: JsonSchema | boolean
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
  $ref?: string
}

export interface Content {
  schema: JsonSchema
  example?: unknown
}
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}
export interface ApiHeader {
  description: string
  schema: JsonSchema
  example: unknown
}
export interface ApiResponse {
  description: string
  headers?: Readonly<Record<string, ApiHeader>>
  content?: Readonly<Record<string, Content>>
}

/** One call, as the OpenAPI document describes it. */
export interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters: readonly Parameter[]
  requestBody?: { required: boolean; description: string; content: Readonly<Record<string, Content>> }
  responses: Readonly<Record<string, ApiResponse | { $ref: string }>>
}

/** The OpenAPI 3.1 document. */
export interface ApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: readonly { url: string; description: string }[]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: {
    schemas: Readonly<Record<string, JsonSchema>>
    responses: Readonly<Record<string, ApiResponse>>
    securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
}
