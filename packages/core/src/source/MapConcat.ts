/** Stream operator that maps each element to several, in order. */
import { Stream } from "effect"

/**
 * Emits every result of `make` for each element. Replaces `Stream.flattenIterable(Stream.map(self,
 * make))`, which runs a separate stream for every element: that costs several times the adapter's
 * work on a record, and keeps garbage alive until a full collection.
 */
export const mapConcat =
  <A, B>(make: (element: A) => ReadonlyArray<B>) =>
  <E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<B, E, R> =>
    Stream.mapAccumArray(
      self,
      () => undefined,
      (_, some) => [undefined, some.flatMap((element) => make(element))]
    )
