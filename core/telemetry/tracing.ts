/** The attributes of a span: ids, classes and counts. Never an address's path or query, SQL values, or personal data. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** Traces the journey of a lead, from the request that brings it to the endpoint's receipt. */
export interface Tracing {
  readonly isOn: boolean
  /**
   * Runs work as a span of the current trace. The span fails with its work, and records only the error's type.
   * @param options.from continues the trace that this text names, see `carry`
   */
  inSpan: <Result>(
    name: string,
    facts: SpanFacts,
    work: (note: (facts: SpanFacts) => void) => Promise<Result>,
    options?: { kind?: 'server' | 'client' | 'producer' | 'consumer'; from?: string | undefined },
  ) => Promise<Result>
  /** The current span as a W3C traceparent, for a job to carry; undefined if there is none. */
  carry: () => string | undefined
  /** The current trace's id, 32 hexadecimal digits; undefined outside of a span. */
  traceId: () => string | undefined
  /** Adds facts to the current span, if there is one. */
  note: (facts: SpanFacts) => void
  /** Exports everything that is not exported yet. */
  close: () => Promise<void>
}

/** Tracing that is off: it costs one call. */
export const NO_TRACING: Tracing = {
  isOn: false,
  inSpan: (_name, _facts, work) => work(() => undefined),
  carry: () => undefined,
  traceId: () => undefined,
  note: () => undefined,
  close: () => Promise.resolve(),
}
