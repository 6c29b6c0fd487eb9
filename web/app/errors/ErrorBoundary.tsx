import { Component, type ComponentType, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'

export interface ErrorBoundaryProps {
  /** The screen that replaces the failed part. */
  screen: ComponentType<{ error: unknown }>
  children: ReactNode
}

/** Contains a failure of its children. The next navigation, even to the same place, tries again. */
export function ErrorBoundary(props: ErrorBoundaryProps) {
  return <Boundary {...props} place={useLocation().key} />
}

interface BoundaryState {
  failure: { error: unknown } | null
  place: string
}

/** React catches rendering errors only in a class. */
class Boundary extends Component<ErrorBoundaryProps & { place: string }, BoundaryState> {
  override state: BoundaryState = { failure: null, place: this.props.place }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ place }: { place: string }, state: BoundaryState): BoundaryState | null {
    return place === state.place ? null : { failure: null, place }
  }

  override render() {
    const { failure } = this.state
    const { screen: Screen, children } = this.props
    return failure === null ? children : <Screen error={failure.error} />
  }
}
