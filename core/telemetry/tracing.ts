/** The attributes of a span: ids, classes and counts. Never an address's path or query, SQL values, or personal data. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** How the journey of a lead is traced, from the request that brings it to the endpoint's receipt. */
export interface Tracing {
  readonly isOn: boolean
  /**
   * Runs work as a span of the trace that is under way here. A span fails with its work; of the error it tells the type only.
   * @param options.from continues the trace of whoever wrote this, see `carry`
   */
  inSpan: <Result>(
    name: string,
    facts: SpanFacts,
    work: (note: (facts: SpanFacts) => void) => Promise<Result>,
    options?: { kind?: 'server' | 'client' | 'producer' | 'consumer'; from?: string | undefined },
  ) => Promise<Result>
  /** The span under way here as a W3C traceparent, for a job to carry; undefined where there is none. */
  carry: () => string | undefined
  /** Hands over what is not exported yet. */
  close: () => Promise<void>
}

/** Costs one call. */
export const NO_TRACING: Tracing = {
  isOn: false,
  inSpan: (_name, _facts, work) => work(() => undefined),
  carry: () => undefined,
  close: () => Promise.resolve(),
}
