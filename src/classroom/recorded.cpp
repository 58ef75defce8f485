#include "classroom/recorded.h"

namespace normtrace::classroom {

std::span<const Recorded> recorded() {
  static constexpr Recorded table[] = {
      {"E1", "max |layernorm_manual-nn.LayerNorm|, 2×4", "1.2e-7", "1.2e-7"},
      {"E1", "max |layernorm_manual-nn.LayerNorm|, 2×4, n-1", "0.22", "0.22"},
      {"E2", "label.recorded_mean", "-0.010", "-0.010"},
      {"E2", "label.recorded_std", "0.99999", "0.99999"},
      {"E2", "‖RMSNorm(x)‖, ‖LN(x)‖, (2, 10, 512)", "22.6273", "22.6273"},
      {"D8", "label.biased_scores", "0.57", "3.64"},
      // One thread of a processor, PyTorch 1.13: a module RMSNorm written by hand against nn.LayerNorm.
      {"D14", "t(LN)/t(RMSNorm), d = 128, B = 32", "0.47", "0.47"},
      {"D14", "t(LN)/t(RMSNorm), d = 128, B = 128", "0.12", "0.12"},
      {"D14", "t(LN)/t(RMSNorm), d = 512, B = 32", "0.65", "0.79"},
      {"D14", "t(LN)/t(RMSNorm), d = 512, B = 128", "0.05", "0.07"},
      {"D14", "t(LN)/t(RMSNorm), d = 2048, B = 32", "1.0", "1.2"},
      {"D14", "t(LN)/t(RMSNorm), d = 2048, B = 128", "0.6", "0.6"},
      {"D28", "MSE, train, RMSNorm, seed 1", "0.0019", "0.0019"},
      {"D28", "MSE, train, LN, seed 1", "0.0005", "0.0005"},
      {"D28", "MSE, train, RMSNorm, seed 2", "0.0010", "0.0010"},
      {"D28", "MSE, train, LN, seed 2", "0.0015", "0.0015"},
      {"D28", "MSE, train, RMSNorm, seed 3", "0.0014", "0.0014"},
      {"D28", "MSE, train, LN, seed 3", "0.0015", "0.0015"},
      {"D28", "MSE, train, RMSNorm, seed 4", "0.0003", "0.0003"},
      {"D28", "MSE, train, LN, seed 4", "0.0006", "0.0006"},
      {"D28", "MSE, train, RMSNorm, seed 5", "0.0006", "0.0006"},
      {"D28", "MSE, train, LN, seed 5", "0.0006", "0.0006"},
      {"D28", "label.test_loss", "1.51", "1.60"},
  };
  return table;
}

}  // namespace normtrace::classroom
