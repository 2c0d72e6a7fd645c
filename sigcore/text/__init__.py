"""What several metrics share: tokens, n-grams, edit distances, compiled kernels, lexicons, trees and links."""
