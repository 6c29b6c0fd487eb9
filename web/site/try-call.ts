/**
 * A call that readers of the API reference can send; the build writes it into the page
 * (scripts/site/api-reference).
 */
export interface TryCall {
  method: 'GET' | 'POST'
  /** an OpenAPI path below the page's own origin */
  path: string
  /** true if an access token is sent when there is one */
  takesToken: boolean
  parameters: readonly TryParameter[]
  /** an example that the reader can change */
  body?: unknown
  /** side effect of the call */
  warning?: string
}

export interface TryParameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  says: string
  /** the allowed values */
  choices?: readonly string[]
  example?: string
}
