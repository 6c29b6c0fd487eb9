/** A call that a reader of the API's reference may send from it; the build writes it into the page (scripts/site/api-reference). */
export interface TryCall {
  method: 'GET' | 'POST'
  /** in the form of OpenAPI, below the page's own origin */
  path: string
  /** whether an access token is sent, where there is one */
  takesToken: boolean
  parameters: readonly TryParameter[]
  /** an example, which may be changed */
  body?: unknown
  /** what it does beside answering */
  warning?: string
}

export interface TryParameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  says: string
  /** the values that there are */
  choices?: readonly string[]
  example?: string
}
