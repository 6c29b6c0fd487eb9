import type { ElementType, Key } from 'react'
import * as react from 'react/jsx-dev-runtime'
import { holdText } from './hold-text.ts'

export { Fragment, type JSX } from 'react/jsx-dev-runtime'

/** Like `jsx`, for `npm run dev`. */
export function jsxDEV(
  type: ElementType,
  props: object,
  key: Key | undefined,
  isStatic: boolean,
  source?: react.JSXSource,
  self?: unknown,
) {
  const held = holdText(type, props)
  return react.jsxDEV(
    type,
    held,
    key,
    isStatic && Array.isArray((held as { children?: unknown }).children),
    source,
    self,
  )
}
